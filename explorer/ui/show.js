// Escape leaves presentation mode, unless it closes something else first.
const OPEN = "[role=dialog], [role=listbox], [role=menu], [data-testid=stPopoverBody]";

export default function () {
  const escape = (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || document.querySelector(OPEN)) return;
    document.querySelector(".st-key-show_leave button")?.click();
  };
  document.addEventListener("keydown", escape, true);
  return () => document.removeEventListener("keydown", escape, true);
}
