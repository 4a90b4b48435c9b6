"use strict";
/* Lays out a picture again after boxes were folded, as `pictures/layout.py` does: orders and bends are
   given (`pictures/movable.py`), sizes and places are found here. */
const select = (selector, root) => [...root.querySelectorAll(`:scope > ${selector}`)];

function layOut(svg) {
  const [CHARACTER, LINE, PADDING, GAP, BETWEEN, TITLE, SIDE, SWEEPS] =
    svg.dataset.measures.split(" ").map(Number);
  const mean = (places, otherwise) =>
    places.length ? places.reduce((sum, place) => sum + place, 0) / places.length : otherwise;
  const highest = (numbers, otherwise) => Math.max(otherwise, ...numbers);
  const center = box => box.x + box.width / 2;

  function boxOf(element) {
    const length = [...select("text:not(.fold)", element)[0].textContent].length;
    const box = {element, drawings: [], x: 0, y: 0, width: length * CHARACTER + 2 * PADDING, height: LINE};
    if (element.classList.contains("folded")) return box;
    let x = GAP / 2;
    for (const inside of select(".drawing", element)) {
      const drawing = arranged(inside);
      [drawing.x, drawing.y] = [x, LINE + GAP / 2];
      x += drawing.width + GAP / 2;
      box.drawings.push(drawing);
    }
    if (!box.drawings.length) return box;
    box.width = Math.max(box.width, x);
    box.height = highest(box.drawings.map(drawing => drawing.height), 0) + LINE + GAP;
    return box;
  }

  function arranged(element) {
    const boxes = select("g:not(.drawing)", element).map(boxOf);
    const parts = [...boxes];
    const at = number => parts[number] ??= {isBend: true, x: 0, y: 0, width: 0, height: 0};
    const numbers = text => text.split(" ").filter(Boolean).map(number => at(Number(number)));
    const layers = element.dataset.layers.split("|").map(numbers);
    const edges = select("path[data-path]", element).map(line => ({line, path: numbers(line.dataset.path)}));
    setColumns(layers, edges);
    setRows(layers);
    const repeats = element.dataset.repeats === "1";
    const placed = layers.flat(), side = SIDE + (repeats ? SIDE : 0);
    const left = placed.length ? Math.min(...placed.map(box => box.x)) : 0;
    for (const box of placed) box.x += side - left;
    const right = placed.length ? highest(placed.map(box => box.x + box.width), -Infinity) : side;
    const title = [...select(".title", element)[0].textContent].length;
    return {
      element, boxes, edges, bends: parts.slice(boxes.length), x: 0, y: 0,
      width: Math.max(right + SIDE, title * CHARACTER + 2 * PADDING),
      height: highest(boxes.map(box => box.y + box.height), 0) + SIDE,
    };
  }

  function setColumns(layers, edges) {
    const above = new Map(), below = new Map();
    for (const box of layers.flat()) { above.set(box, []); below.set(box, []); }
    for (const {path} of edges) for (let i = 1; i < path.length; i++) {
      above.get(path[i]).push(path[i - 1]);
      below.get(path[i - 1]).push(path[i]);
    }
    for (const layer of layers) setCenters(layer, layer.map(() => 0));
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      const down = sweep % 2 === 0, near = down ? above : below;
      for (const layer of down ? layers : [...layers].reverse())
        setCenters(layer, layer.map(box => mean(near.get(box).map(center), center(box))));
    }
  }

  function setCenters(layer, wanted) {
    let end = 0;
    const offsets = layer.map(box => {
      const offset = end + box.width / 2;
      end += box.width + GAP;
      return offset;
    });
    const places = nearestIncreasing(wanted.map((place, i) => place - offsets[i]));
    layer.forEach((box, i) => { box.x = places[i] + offsets[i] - box.width / 2; });
  }

  function nearestIncreasing(wanted) {
    const pools = [];
    for (const number of wanted) {
      let total = number, count = 1;
      while (pools.length && pools.at(-1)[0] / pools.at(-1)[1] > total / count) {
        const [more, others] = pools.pop();
        total += more;
        count += others;
      }
      pools.push([total, count]);
    }
    return pools.flatMap(([total, count]) => Array(count).fill(total / count));
  }

  function setRows(layers) {
    let y = TITLE;
    for (const layer of layers) {
      const height = highest(layer.filter(box => !box.isBend).map(box => box.height), 0);
      for (const box of layer) { box.y = y; if (box.isBend) box.height = height; }
      y += height + BETWEEN;
    }
  }

  /* -- writing the places, which are absolute -- */

  const set = (element, values) => {
    for (const [name, value] of Object.entries(values)) element.setAttribute(name, value.toFixed(1));
  };
  const frame = box => ({x: box.x, y: box.y, width: box.width, height: box.height});

  function write(drawing, x, y) {
    drawing.x += x; drawing.y += y;
    for (const part of [...drawing.boxes, ...drawing.bends]) { part.x += drawing.x; part.y += drawing.y; }
    set(select(".title", drawing.element)[0], {x: drawing.x + PADDING, y: drawing.y + TITLE - 8});
    for (const ground of select(".ground", drawing.element)) set(ground, frame(drawing));
    for (const {line, path} of drawing.edges) line.setAttribute("d", way(path));
    writeWayBack(drawing);
    for (const box of drawing.boxes) {
      set(select("rect", box.element)[0], frame(box));
      for (const text of select("text", box.element))
        set(text, {x: box.x + (text.classList.contains("fold") ? 2 : PADDING), y: box.y + 16});
      for (const inside of box.drawings) write(inside, box.x, box.y);
    }
  }

  function way([first, ...others]) {
    const last = others.pop();
    const points = others.flatMap(bend => [[center(bend), bend.y], [center(bend), bend.y + bend.height]]);
    points.push([center(last), last.y]);
    let [x, y] = [center(first), first.y + first.height], found = `M${x.toFixed(1)} ${y.toFixed(1)}`;
    for (const [toX, toY] of points) {
      const [fromX, endX, endY, middle] = [x, toX, toY, (y + toY) / 2].map(place => place.toFixed(1));
      found += x === toX ? ` V${endY}` : ` C${fromX} ${middle} ${endX} ${middle} ${endX} ${endY}`;
      [x, y] = [toX, toY];
    }
    return found;
  }

  function writeWayBack(drawing) {
    const [back] = select(".back", drawing.element), [head] = select(".head", drawing.element);
    if (!back) return;
    const leftmost = kind => drawing.boxes.filter(box => box.element.classList.contains(kind))
      .reduce((found, box) => box.x < found.x ? box : found);
    const start = leftmost("result"), end = leftmost("input"), x = drawing.x + SIDE / 2 + 2;
    const [startY, endY] = [start.y + start.height / 2, end.y + end.height / 2].map(y => y.toFixed(1));
    back.setAttribute("d", `M${start.x.toFixed(1)} ${startY} H${x.toFixed(1)} V${endY} H${end.x.toFixed(1)}`);
    head.setAttribute("d", `M${end.x.toFixed(1)} ${endY} l-8 -5 v10 z`);
  }

  const whole = arranged(select(".drawing", svg)[0]);
  write(whole, 0, 0);
  const [width, height] = [whole.width, whole.height].map(Math.round);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.parentElement.style.setProperty("--drawn", `${width}px`);
}
