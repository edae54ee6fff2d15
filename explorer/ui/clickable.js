// Draws a picture anew only when it has changed, keeps its sideways scroll and focus, and reports what is clicked.
const BOXES = ".rows, .scroll";
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function draw(picture, html) {
  const scrolled = [...picture.querySelectorAll(BOXES)].map((box) => [box.scrollLeft, box.scrollTop]);
  const focused = picture.getRootNode().activeElement;
  const held = focused?.dataset?.click;
  picture.innerHTML = picture.drawn = html;
  picture.querySelectorAll(BOXES).forEach((box, at) => {
    [box.scrollLeft, box.scrollTop] = scrolled[at] ?? [0, 0];
    showChosen(box);
    showHeld(box);
  });
  if (held) part(picture, held)?.focus({ preventScroll: true });
  const layers = focused?.at && picture.querySelector("[data-cells]");
  if (!layers) return;
  hold(layers, focused.at);
  layers.focus({ preventScroll: true });
}

// A chosen tile that lies outside its box is brought into it.
function showChosen(box) {
  const tile = box.querySelector(".tile[aria-pressed=true]");
  if (!tile) return;
  const inside = tile.offsetTop >= box.scrollTop && tile.offsetTop + tile.offsetHeight <= box.scrollTop + box.clientHeight;
  if (!inside) box.scrollTop = tile.offsetTop - box.clientHeight / 2;
}

// So is the cell in hand, sideways: between the names that stay and the edge where the box fades out.
function showHeld(box) {
  const cell = box.querySelector("[aria-current=true]")?.closest("td");
  if (!cell) return;
  const from = cell.offsetLeft - box.querySelector("th").offsetWidth;
  const to = cell.offsetLeft + 2 * cell.offsetWidth - box.clientWidth;
  box.scrollLeft = Math.min(from, Math.max(to, box.scrollLeft));
}

const part = (picture, name) => picture.querySelector(`[data-click="${CSS.escape(name)}"]`);

// Row and column of a picture made of layers, which has so many of each.
function placeAt(layers, event, rows, columns) {
  const box = layers.getBoundingClientRect();
  const place = (from, size, count) => Math.min(count - 1, Math.max(0, Math.floor((from / size) * count)));
  return [place(event.clientY - box.top, box.height, rows), place(event.clientX - box.left, box.width, columns)];
}

const namesOf = (layers) => (layers.names ??= JSON.parse(layers.dataset.names));
const pointed = (layers, event) => placeAt(layers, event, ...namesOf(layers).map((names) => names.length));

// The hover of layers: data-names holds both axes, data-values 16 bits a cell as shares of data-largest.
function tell(layers, [row, column]) {
  const [queries, keys] = namesOf(layers);
  layers.title = `${queries[row]} → ${keys[column]}`;
  if (!layers.dataset.values) return;
  const numbers = (layers.numbers ??= new DataView(Uint8Array.from(atob(layers.dataset.values), (c) => c.charCodeAt(0)).buffer));
  const value = (numbers.getUint16(2 * (row * keys.length + column), true) / 65535) * layers.dataset.largest;
  layers.title += `\n${value.toFixed(4)}`;
}

// Where an arrow leads: among cells and tiles by row and column, from the edge to the names; else to the next alike.
function beside(picture, name, [down, right]) {
  const [kind, first, second] = name.split(":");
  const [row, column] = [Number(first) + down, Number(second) + right];
  if (kind === "head") return part(picture, `head:${row}:${column}`) ?? (right > 0 ? part(picture, `mean:${first}`) : null);
  if (kind === "cell") return part(picture, `cell:${row}:${column}`) ?? part(picture, column < 0 ? `query:${first}` : row < 0 ? `key:${second}` : "");
  const inside = { query: right > 0 && `cell:${first}:0`, key: down > 0 && `cell:0:${first}` }[kind];
  if (inside && part(picture, inside)) return part(picture, inside);
  const alike = [...picture.querySelectorAll(`[data-click^="${kind}:"]`)];
  return alike[alike.indexOf(part(picture, name)) + down + right];
}

// The arrows in a picture made of layers: its cell in hand is framed and told.
function walk(layers, [down, right]) {
  const [rows, columns] = layers.dataset.cells.split(":").map(Number);
  const [row, column] = layers.at ?? [0, 0];
  hold(layers, [Math.min(rows - 1, Math.max(0, row + down)), Math.min(columns - 1, Math.max(0, column + right))]);
  layers.parentElement.parentElement.querySelector("[aria-live]").textContent = layers.title;
}

function hold(layers, at) {
  layers.at = at;
  const [rows, columns] = layers.dataset.cells.split(":").map(Number);
  const frame = layers.querySelector("u") ?? layers.appendChild(document.createElement("u"));
  frame.style.inset = `${(100 * at[0]) / rows}% auto auto ${(100 * at[1]) / columns}%`;
  frame.style.width = `${100 / columns}%`;
  frame.style.height = `${100 / rows}%`;
  tell(layers, at);
}

// Each click is kept, in order, until the page says that it has seen it: quick ones would be folded into one.
function collect(picture, seen, name) {
  const kept = (picture.kept ??= { from: seen, names: [] });
  kept.names.splice(0, Math.max(0, seen - kept.from));
  kept.from = Math.max(kept.from, seen);
  kept.names.push(name);
  return { from: kept.from, names: [...kept.names] };
}

export default newest(({ data, parentElement, setStateValue, setTriggerValue }) => {
  const picture = parentElement.querySelector("#picture");
  const report = (name) => {
    if ("seen" in data) setStateValue("clicks", collect(picture, data.seen, name));
    else (data.keep ? setStateValue : setTriggerValue)("clicked", name);
  };
  if (picture.drawn !== data.html) draw(picture, data.html);
  picture.onclick = (event) => {
    const hit = event.target.closest("[data-click]");
    const layers = event.target.closest("[data-cells]");
    if (hit) report(hit.dataset.click);
    else if (layers) report(`cell:${pointed(layers, event).join(":")}`);
  };
  picture.onmousemove = (event) => {
    const layers = event.target.closest("[data-names]");
    if (layers) tell(layers, pointed(layers, event));
  };
  picture.onkeydown = (event) => {
    const name = event.target.closest("[data-click]")?.dataset.click;
    const layers = event.target.closest("[data-cells]");
    const arrow = ARROWS[event.key];
    if (!(name || layers) || !(arrow || event.key === "Enter" || event.key === " ")) return;
    if (!arrow) report(name ?? `cell:${(layers.at ?? [0, 0]).join(":")}`);
    else if (layers) walk(layers, arrow);
    else beside(picture, name, arrow)?.focus();
    event.preventDefault();
  };
});
