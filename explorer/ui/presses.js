// Counts every press of the named buttons. Streamlit folds presses that arrive while a run goes on into one; here each
// is kept, in order, until the page says that it has seen it.
export default newest(({ data, parentElement, setStateValue }) => {
  const kept = (parentElement.kept ??= { from: data.seen, names: [], press: null });
  kept.names.splice(0, Math.max(0, data.seen - kept.from));
  kept.from = Math.max(kept.from, data.seen);
  // Called again with every run: the listener of the run before goes.
  document.removeEventListener("click", kept.press, true);
  const press = (kept.press = (event) => {
    const name = data.buttons.find((each) => event.target.closest?.(`.st-key-${each} button:enabled`));
    if (!name) return;
    event.stopPropagation();
    kept.names.push(name);
    setStateValue("pressed", { from: kept.from, names: [...kept.names] });
  });
  document.addEventListener("click", press, true);
  return () => document.removeEventListener("click", press, true);
});
