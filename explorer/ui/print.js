// On paper nothing scrolls. Before a page is printed, token rows wider than the paper are set in lines of as many
// columns as fit, each line with the names of its rows; other wide boxes are drawn smaller. Afterwards all is as it was.
const PAPER = 960; // Pixels across a sheet of A4 or Letter on its side, within the margins of print.css.

function* boxes(root, kind) {
  yield* root.querySelectorAll(kind);
  for (const part of root.querySelectorAll("*")) if (part.shadowRoot) yield* boxes(part.shadowRoot, kind);
}

// The columns where a line begins, and the end.
function breaks(row) {
  const [names, ...widths] = [...row.cells].map((cell) => cell.getBoundingClientRect().width + 4);
  const found = [0];
  let width = names;
  widths.forEach((each, at) => {
    if (width + each > PAPER && at > found.at(-1)) {
      found.push(at);
      width = names;
    }
    width += each;
  });
  return [...found, widths.length];
}

// A copy of the box with the columns from `start` to `end` only. Rows of another number of cells span all columns.
function line(box, start, end) {
  const copy = box.cloneNode(true);
  const [first] = copy.querySelector("table").rows;
  const count = first.cells.length;
  const away = (cells) => [...cells].filter((_, at) => at > 0 && (at <= start || at > end)).forEach((cell) => cell.remove());
  for (const row of [...copy.querySelectorAll("tr")].reverse()) if (row.cells.length === count) away(row.cells);
  away(copy.querySelectorAll("col"));
  for (const wide of copy.querySelectorAll("[colspan]")) wide.colSpan = end - start;
  copy.classList.add("printed");
  return copy;
}

function prepare() {
  for (const box of [...boxes(document, ".xp .rows")]) {
    const table = box.querySelector("table");
    if (!table || table.offsetWidth <= PAPER) continue;
    const at = breaks(table.rows[0]);
    box.after(...at.slice(1).map((end, n) => line(box, at[n], end)));
    box.classList.add("unprinted");
  }
  for (const box of boxes(document, ".xp .scroll, .xp.side-by-side, .xp.candidates, .xp.compared, .xp.samples")) {
    if (box.scrollWidth > PAPER) box.style.zoom = PAPER / box.scrollWidth;
  }
}

function restore() {
  for (const copy of [...boxes(document, ".printed")]) copy.remove();
  for (const box of boxes(document, ".unprinted")) box.classList.remove("unprinted");
  for (const box of boxes(document, ".xp .scroll, .xp")) box.style.zoom = "";
}

export default function () {
  window.addEventListener("beforeprint", prepare);
  window.addEventListener("afterprint", restore);
  return () => {
    window.removeEventListener("beforeprint", prepare);
    window.removeEventListener("afterprint", restore);
  };
}
