/* Links the lines of all panels.  The script adds and removes classes; it makes no markup of texts. */
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const one = (selector, root = document) => root.querySelector(selector);
const panels = all(".panel");
const said = one("output");
const state = {line: null, pass: all(".passes button").length - 1, view: "picture"};
const lines = [...new Set(all("#source .row[data-line]").map(row => row.dataset.line))];

/* The rows and boxes of a line: those that it became, and those with constants that it binds. */
function of(line, root = document) {
  const name = CSS.escape(line);
  return all(`[data-line="${name}"], [data-also~="${name}"]`, root);
}

/* `row`: that which is pointed at; a value of the graph tells what the passes did to it. */
function mark(line, row = null) {
  for (const row of all(".hot")) row.classList.remove("hot");
  const told = row?.closest("[data-history]")?.dataset.history.replaceAll("\n", " · ");
  if (line === null) { said.textContent = told ?? ""; return; }
  for (const row of of(line)) row.classList.add("hot");
  const source = one(`#source .row[data-line="${CSS.escape(line)}"]`);
  const badge = source && one(".badge", source);
  const code = source ? one("code", source).textContent.trim() : "";
  const inside = of(line, one(".graphs")).filter(row => !row.closest("ol").hidden).length;
  const count = `${inside} ${inside === 1 ? "line" : "lines"} of the graph`;
  said.textContent = told ?? `line ${line}: ${code} · ${badge ? badge.title : ""} · ${count}`;
}

function keep(line, from) {
  for (const row of all(".kept")) row.classList.remove("kept");
  state.line = line;
  mark(line);
  if (line !== null) {
    for (const row of of(line)) if (row.matches(".row")) row.classList.add("kept");
    for (const panel of panels) if (panel !== from) reveal(panel, line);
  }
  remember();
}

function reveal(panel, line) {
  const found = of(line, panel).find(row => row.getClientRects().length);
  if (!found) return;
  const body = one(".body", panel), place = found.getBoundingClientRect(), frame = body.getBoundingClientRect();
  if (place.top < frame.top || place.bottom > frame.bottom)
    body.scrollTop += place.top - frame.top - frame.height / 3;
}

function showPass(number) {
  const buttons = all(".passes button");
  state.pass = Math.max(0, Math.min(number, buttons.length - 1));
  for (const button of buttons) button.setAttribute("aria-pressed", Number(button.dataset.pass) === state.pass);
  const rows = buttons[state.pass].dataset.rows;
  for (const list of all(".graphs ol")) list.hidden = list.dataset.pass !== rows;
  one(".graphs").classList.toggle("settled", Number(rows) !== state.pass);
  one(".purpose").textContent = buttons[state.pass].title;
  remember();
}

function showView(view) {
  state.view = view;
  for (const button of all("[data-view]")) button.setAttribute("aria-pressed", button.dataset.view === view);
  one(".pictures").hidden = view !== "picture";
  one(".graphs").hidden = view !== "text";
  const folds = one(".folds");
  if (folds) folds.hidden = view !== "picture";
  center();
  remember();
}

/* Pictures grow from their middle to both sides, texts to the right. */
function center() {
  const body = one("#graph .body");
  body.scrollLeft = state.view === "picture" ? (body.scrollWidth - body.clientWidth) / 2 : 0;
}

const boxes = all(".picture .regions").filter(box => select(".fold", box).length);
const level = box => boxes.filter(other => other !== box && other.contains(box)).length;

function setFolded(box, folded) {
  box.classList.toggle("folded", folded);
  const button = select(".fold", box)[0];
  button.textContent = folded ? "\u25b8" : "\u25be";
  button.setAttribute("aria-expanded", !folded);
}

/* Buttons of depths are pressed if all boxes are folded as they would fold them. */
function showFolds() {
  layOut(one(".picture svg"));
  for (const button of all("[data-fold]")) {
    const depth = Number(button.dataset.fold);
    const fits = boxes.every(box => box.classList.contains("folded") === level(box) >= depth);
    button.setAttribute("aria-pressed", fits);
  }
}

function showDepth(depth) {
  for (const box of boxes) setFolded(box, level(box) >= depth);
  showFolds();
  center();
}

function foldBox(button) {
  const box = button.closest(".regions");
  setFolded(box, !box.classList.contains("folded"));
  showFolds();
  button.focus();
}

function remember() {
  const parts = {pass: state.pass, view: state.view};
  if (state.line !== null) parts.line = state.line;
  history.replaceState(null, "", "#" + new URLSearchParams(parts));
}

function find(text) {
  for (const row of all(".found")) row.classList.remove("found");
  if (!text) return;
  for (const row of all(".row")) if (one("code", row)?.textContent.includes(text)) row.classList.add("found");
  one(".found")?.scrollIntoView({block: "nearest"});
}

function step(way) {
  const at = lines.indexOf(state.line);
  keep(lines[Math.max(0, Math.min(lines.length - 1, at < 0 ? 0 : at + way))] ?? null, null);
}

function changed(way) {
  const did = all(".passes button.did").map(button => Number(button.dataset.pass));
  const further = did.filter(number => way > 0 ? number > state.pass : number < state.pass);
  showView("text");
  if (further.length) showPass(way > 0 ? further[0] : further[further.length - 1]);
}

const KEYS = {
  ArrowUp: () => step(-1), ArrowDown: () => step(1),
  ArrowLeft: () => changed(-1), ArrowRight: () => changed(1),
  g: () => showView(state.view === "text" ? "picture" : "text"),
  "/": () => one(".find input").focus(),
  Escape: () => keep(null, null),
};

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input")) { if (event.key === "Escape") event.target.blur(); return; }
  if (event.target.matches(".fold") && ["Enter", " "].includes(event.key)) { event.preventDefault(); foldBox(event.target); return; }
  if (event.key in KEYS) { event.preventDefault(); KEYS[event.key](); }
  else if (/^[1-5]$/.test(event.key)) fold(panels[Number(event.key) - 1]);
});

function fold(panel) { panel.classList.toggle("folded"); }

document.addEventListener("mouseover", event => {
  const row = event.target.closest("[data-line]");
  mark(row ? row.dataset.line : state.line, event.target);
});

document.addEventListener("click", event => {
  const button = event.target.closest("button");
  const row = event.target.closest("[data-line]");
  if (event.target.matches(".fold")) foldBox(event.target);
  else if (button?.dataset.pass) { showPass(Number(button.dataset.pass)); showView("text"); }
  else if (button?.dataset.view) showView(button.dataset.view);
  else if (button?.dataset.fold) showDepth(Number(button.dataset.fold));
  else if (button?.dataset.panel) showPanel(button.dataset.panel);
  else if (button && "state" in button.dataset) {
    const on = one("#generated").classList.toggle("states");
    button.setAttribute("aria-pressed", on);
  }
  else if (event.target.matches("h2 kbd")) fold(event.target.closest(".panel"));
  else if (row) keep(row.dataset.line === state.line ? null : row.dataset.line, row.closest(".panel"));
});

one(".find input").addEventListener("input", event => find(event.target.value));

/* On a phone one panel is shown at a time. */
function showPanel(id) {
  for (const panel of panels) {
    panel.classList.toggle("shown", panel.id === id);
    if (panel.id === id && matchMedia("(max-width: 700px)").matches) panel.classList.remove("folded");
  }
  for (const tab of all(".tabs button")) tab.setAttribute("aria-pressed", tab.dataset.panel === id);
  if (id === "graph") center();
  if (state.line !== null) reveal(one("#" + id), state.line);
}
for (const panel of panels) {
  const tab = document.createElement("button");
  tab.type = "button";
  tab.dataset.panel = panel.id;
  tab.textContent = {source: "Python", generated: "Generated", graph: "Graph", program: "NumPy", native: "Native"}[panel.id];
  one(".tabs").append(tab);
}

const given = new URLSearchParams(location.hash.slice(1));
showPanel("source");
showPass(given.has("pass") ? Number(given.get("pass")) || 0 : state.pass);
showView(["text", "picture"].includes(given.get("view")) ? given.get("view") : one("#graph").dataset.start);
if (given.has("line")) keep(given.get("line"), null);
document.documentElement.dataset.ready = "";
