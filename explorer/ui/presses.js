// Counts every press of the named buttons. Streamlit folds presses that arrive while a run goes on into one; here each
// is kept, in order, until the page says that it has seen it.
export default function ({ data, parentElement, setStateValue }) {
  const log = (parentElement.log ??= { from: data.seen, names: [] });
  log.names.splice(0, Math.max(0, data.seen - log.from));
  log.from = Math.max(log.from, data.seen);
  const press = (event) => {
    const name = data.buttons.find((each) => event.target.closest?.(`.st-key-${each} button:enabled`));
    if (!name) return;
    event.stopPropagation();
    log.names.push(name);
    setStateValue("pressed", { from: log.from, names: [...log.names] });
  };
  document.addEventListener("click", press, true);
  return () => document.removeEventListener("click", press, true);
}
