// A link to take along: the whole of it is selected by a click, and a button copies it. The server knows the path and
// the query; only the browser knows the address of the app. Without https there is no clipboard API, so the old command
// comes second.
export default newest(({ data, parentElement }) => {
  const [field, button] = [parentElement.querySelector("input"), parentElement.querySelector("button")];
  const address = new URL(location.href);
  address.search = data.query;
  address.hash = "";
  field.value = address.href;
  field.setAttribute("aria-label", data.label);
  button.textContent = data.copy;
  field.onfocus = () => field.select();
  const done = (copied) => { button.textContent = copied ? data.copied : data.by_hand; };
  button.onclick = async () => {
    field.focus();
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      done(true);
    } catch {
      done(document.execCommand("copy"));
    }
  };
});
