// Draws a picture anew only when it has changed, keeps its sideways scroll and focus, and reports what is clicked.
const BOXES = ".rows, .scroll";
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function draw(picture, html) {
  const scrolled = [...picture.querySelectorAll(BOXES)].map((box) => [box.scrollLeft, box.scrollTop]);
  const held = picture.getRootNode().activeElement?.dataset?.click;
  picture.innerHTML = picture.drawn = html;
  picture.querySelectorAll(BOXES).forEach((box, at) => {
    [box.scrollLeft, box.scrollTop] = scrolled[at] ?? [0, 0];
    showChosen(box);
    showHeld(box);
  });
  if (held) part(picture, held)?.focus({ preventScroll: true });
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

const cellAt = (layers, event) => `cell:${placeAt(layers, event, ...layers.dataset.cells.split(":").map(Number)).join(":")}`;

// The hover of layers: data-values holds 16 bits a cell as shares of data-largest, data-names both axes.
function tell(layers, event) {
  const numbers = (layers.numbers ??= new DataView(Uint8Array.from(atob(layers.dataset.values), (c) => c.charCodeAt(0)).buffer));
  const [queries, keys] = (layers.names ??= JSON.parse(layers.dataset.names));
  const [row, column] = placeAt(layers, event, queries.length, keys.length);
  const value = (numbers.getUint16(2 * (row * keys.length + column), true) / 65535) * layers.dataset.largest;
  layers.title = `${queries[row]} → ${keys[column]}\n${value.toFixed(4)}`;
}

function step(picture, name, [down, right]) {
  const [kind, row, column] = name.split(":");
  part(picture, `${kind}:${Number(row) + down}:${Number(column) + right}`)?.focus();
}

// Each click is kept, in order, until the page says that it has seen it: quick ones would be folded into one.
function collect(picture, seen, name) {
  const kept = (picture.kept ??= { from: seen, names: [] });
  kept.names.splice(0, Math.max(0, seen - kept.from));
  kept.from = Math.max(kept.from, seen);
  kept.names.push(name);
  return { from: kept.from, names: [...kept.names] };
}

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
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
    else if (layers) report(cellAt(layers, event));
  };
  picture.onmousemove = (event) => {
    const layers = event.target.closest("[data-values]");
    if (layers) tell(layers, event);
  };
  picture.onkeydown = (event) => {
    const name = event.target.closest("[data-click]")?.dataset.click;
    if (!name) return;
    if (event.key in ARROWS && name.startsWith("cell:")) step(picture, name, ARROWS[event.key]);
    else if (event.key === "Enter" || event.key === " ") report(name);
    else return;
    event.preventDefault();
  };
}
