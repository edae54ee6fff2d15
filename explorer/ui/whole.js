// Half a character (a lone surrogate) cannot travel to the server: Streamlit's socket would close over it. It is
// replaced by U+FFFD as it is typed or pasted, before Streamlit reads the field.
function mend({ target }) {
  const value = target.value;
  if (typeof value !== "string" || value.isWellFormed()) return;
  const { selectionStart, selectionEnd } = target;
  // The setter of the element's class: React must see that the value has changed.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(target), "value").set.call(target, value.toWellFormed());
  target.setSelectionRange(selectionStart, selectionEnd);
}

export default function () {
  document.addEventListener("input", mend, true);
  return () => document.removeEventListener("input", mend, true);
}
