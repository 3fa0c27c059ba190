// What happens when: the state changes, the panes follow.

const TYPES = ["f64", "f32", "f16", "bf16", "f8e4m3", "i64", "i32", "i16", "i8", "u8", "i4"];

let shown = null; // the model of the grid
let memory = null; // that of the memory, where there is one
let slots = null;
let together = new Map(); // the cells in one slot, where there are several
let hovered = -1; // a cell of the grid
let pinned = -1;

const gridView = new Cells($("grid"), { hover: hoverCell, pin: pinCell, say: sayCell });
const memoryView = new Cells($("memory"), { hover: hoverSlot, pin: pinSlot, say: saySlot });
const ignore = { hover() {}, pin() {}, say() {} };
const fromView = new Cells($("from"), ignore);
const toView = new Cells($("to"), ignore);

const editor = new Editor($("editor"), (text) => change({ e: text, p: "" }));
const otherEditor = new Editor($("other-editor"), (text) => change({ w: text, k: "" }));
const threadsEditor = new Editor($("threads-editor"), (text) => change({ a: text }));

const slotOf = (cell) => (slots && cell >= 0 ? slots.slotOf(shown.offset(cell), shown.core(cell)) : -1);

function drawMarks() {
  const [grid, places] = [new Map(), new Map()];
  const add = (cell, mark) => {
    if (cell < 0) return;
    const slot = slotOf(cell);
    for (const one of together.get(slot) ?? [cell]) grid.set(one, mark);
    if (slot >= 0) places.set(slot, mark);
  };
  add(hovered, "hover");
  add(pinned, "pin");
  gridView.mark(grid);
  memoryView.mark(places);
}

let cellTurn = 0;

async function describe(cell) {
  const turn = ++cellTurn;
  const at = shown && cell >= 0 ? shown.coordinate(cell) : null;
  if (!at) {
    showCell(null);
    showStepValues(null);
    return null;
  }
  const others = stepValues.map((step) => step.text);
  const answer = await ask({ op: "cell", text: state.e, dtype: state.t, memory: state.m, at, others });
  if (turn !== cellTurn) return null;
  const right = answer.errors ? null : answer;
  showCell(right, cell === pinned, shown?.picture.cores);
  showStepValues(right);
  return right;
}

function hoverCell(cell) {
  if (cell === hovered) return;
  hovered = cell;
  drawMarks();
  describe(cell >= 0 ? cell : pinned);
  if (cell >= 0 && slotOf(cell) >= 0 && document.activeElement === gridView.box) memoryView.reveal(slotOf(cell));
}

function hoverSlot(slot) {
  const cell = slot >= 0 && slots ? slots.first[slot] : -1;
  hoverCell(cell);
  if (cell >= 0 && document.activeElement === memoryView.box) gridView.reveal(cell);
}

function pinCell(cell) {
  const at = shown?.coordinate(cell)?.join();
  if (at !== undefined) change({ p: at === state.p ? "" : at });
}

function pinSlot(slot) {
  const cell = slots ? slots.first[slot] : -1;
  if (cell >= 0) pinCell(cell);
}

// What the state pins.
function showPin() {
  pinned = -1;
  if (shown && state.p !== "") {
    const at = state.p.split(",").map(Number);
    if (at.every((c) => Number.isInteger(c) && c >= 0)) pinned = cellOf(shown, at);
  }
  drawMarks();
  if (pinned >= 0) {
    gridView.reveal(pinned);
    memoryView.reveal(slotOf(pinned));
  }
  describe(pinned);
}

async function sayCell(cell) {
  const answer = await describe(cell);
  if (answer) $("live").textContent = `${answer.coordinate} is at ${answer.value}`;
  else $("live").textContent = "padding";
}

function saySlot(slot) {
  const cell = slots?.first[slot] ?? -1;
  if (cell < 0) $("live").textContent = `slot ${slot} holds no element`;
  else sayCell(cell);
}

// Marks what a phase of an access touches.
function showPhase(access, phase) {
  if (!access?.offsets || !slots) return drawMarks();
  const [grid, places] = [new Map(), new Map()];
  const values = access.instruction_list[phase.instruction]?.values ?? [0, 1];
  for (let thread = phase.threads[0]; thread < phase.threads[1]; thread++) {
    for (const offset of access.offsets[thread].slice(values[0], values[1])) {
      const slot = slots.slotOf(offset, 0);
      if (slot < 0) continue;
      places.set(slot, "now");
      if (slots.first[slot] >= 0) grid.set(slots.first[slot], "now");
    }
  }
  gridView.mark(grid);
  memoryView.mark(places);
}

function showPart(part) {
  editor.marks = [];
  editor.paint();
  const old = editor.colors.querySelectorAll(".part");
  old.forEach((one) => one.classList.remove("part"));
  if (!part) return;
  const [start, end] = [unitsOfBytes(state.e, part.start), unitsOfBytes(state.e, part.end)];
  let at = 0;
  for (const span of editor.colors.children) {
    if (at >= start && at < end) span.classList.add("part");
    at += span.textContent.length;
  }
}

let updateTurn = 0;

async function update() {
  const turn = ++updateTurn;
  const text = state.e;
  const start = performance.now();
  const drawing = { op: "show", text, dtype: state.t, color: state.c, memory: state.m, threads: state.a };
  const [answer, picture] = await Promise.all([
    ask({ op: "eval", text, dtype: state.t }),
    ask({ ...drawing, view: state.g }),
  ]);
  if (turn !== updateTurn) return;
  const errors = answer.errors ?? [];
  const right = errors.length === 0;
  editor.problems(errors);
  showValue(right ? answer : null);
  // A text that names the type of its elements has that one.
  const named = answer.dtype ?? state.t;
  if (![...$("dtype").options].some((option) => option.value === named)) $("dtype").append(new Option(named, named));
  $("dtype").value = named;
  $("dtype").disabled = Boolean(answer.dtype);
  document.body.classList.toggle("refused", !right);
  $("dtype").title = answer.dtype ? `The expression says ${answer.dtype}` : "";
  showNotations(right ? answer.notations : []);
  showFacts(right ? answer.facts : null);
  showGrid(picture, right);
  performance.measure("grid", { start, end: performance.now() });
  const places = shown ? await ask({ ...drawing, view: "memory" }) : null;
  if (turn !== updateTurn) return;
  showMemory(places && !places.errors ? places : null);
  performance.measure("redraw", { start, end: performance.now() });
  const explained = await ask({ op: "explain", text });
  if (turn !== updateTurn) return;
  showSteps(explained.parts ? explained : null, showPart);
  if (shown) describeCells(shown);
  showPin();
  await Promise.all([updateAccess(), updateCompare(shown)]);
  if (turn === updateTurn) ready();
}

// All of the state is shown.
function ready() {
  document.documentElement.dataset.ready = toFragment(state);
}

function showGrid(picture, right) {
  shown = picture.errors ? null : modelOf(picture);
  hovered = pinned = -1;
  $("grid").querySelector(".nothing")?.remove();
  if (!shown) {
    gridView.show(null);
    $("grid-note").textContent = "";
    $("tables").replaceChildren();
    $("legend").replaceChildren();
    $("grid").style.height = "auto";
    const why = right ? picture.errors[0].message : "The expression has no value, so there is nothing to draw.";
    $("grid").append(element("p", "nothing", why));
    return;
  }
  gridView.zoom = state.z;
  gridView.show(shown);
  const { blocks, all_blocks } = picture;
  const { rows, columns } = blocks[0];
  const cut = [
    rows.headers.length < rows.extent || columns.headers.length < columns.extent ? "the first rows and columns" : "",
    blocks.length < all_blocks ? `the first ${blocks.length} blocks` : "",
  ].filter(Boolean);
  const size = shown.wrapped ? `${columns.extent} in rows of ${WRAP}` : `${rows.extent} × ${columns.extent}`;
  const count = all_blocks > 1 ? `, ${all_blocks} blocks` : "";
  $("grid-note").textContent = `${size}${count}${cut.length > 0 ? `, ${cut.join(" of ")}` : ""}`;
  showLegend(picture.legend);
}

function showMemory(picture) {
  // A place has the colour of its element in the grid.
  const { legend } = shown?.picture ?? {};
  const color = (slot) => (slots.first[slot] < 0 ? null : shown.color(slots.first[slot]));
  memory = picture ? modelOf(picture, { most: 420, color, legend }) : null;
  slots = memory ? slotsOf(shown, memory) : null;
  $("memory-card").hidden = !memory;
  memoryView.show(memory);
  together = new Map();
  if (!memory) return;
  if (slots.count.some((count) => count > 1)) {
    for (let cell = 0; cell < shown.count; cell++) {
      const slot = slotOf(cell);
      if (slot >= 0 && slots.count[slot] > 1) together.set(slot, [...(together.get(slot) ?? []), cell]);
    }
  }
  $("memory-note").textContent = picture.description.replace(/^.*: /, "");
}

async function updateAccess() {
  const answer = await ask({ op: "access", text: state.e, dtype: state.t, threads: state.a, vector: state.v, memory: state.m });
  const wrong = answer.errors ?? [];
  $("threads").placeholder = answer.accesses?.[0]?.text ?? "";
  threadsEditor.problems(wrong.filter(() => answer.field === "threads"));
  showAccess(wrong.length > 0 && (answer.field === "threads" || !shown) ? null : answer, showPhase);
}

// Fields of the page that show the state.
function showFields() {
  editor.set(state.e);
  otherEditor.set(state.w);
  threadsEditor.set(state.a);
  if (!$("dtype").disabled) $("dtype").value = state.t;
  $("color").value = state.c;
  $("view").value = state.g;
  $("vector").value = state.v;
  $("memory-kind").value = state.m;
  $("undo").disabled = past.length === 0;
  $("redo").disabled = future.length === 0;
  document.title = `${state.e} · Layout explorer`;
}

listener = async (names) => {
  showFields();
  const only = (...fields) => names.every((name) => fields.includes(name));
  const all = !(only("p") || only("k") || only("z") || only("v") || only("w", "k") || (only("a") && state.c !== "thread"));
  if (all) return update();
  if (only("p")) showPin();
  else if (only("k")) showStep();
  else if (only("z")) {
    gridView.zoom = state.z;
    gridView.layOut();
  } else if (only("w", "k")) await updateCompare(shown);
  else await updateAccess();
  ready();
};

function zoom(direction) {
  if (direction === 0) return change({ z: "" });
  const steps = [2, 3, 4, 6, 8, 12, 16, 22, 30, 38, 48, 60];
  const now = gridView.width ?? 30;
  const next = direction > 0 ? steps.find((step) => step > now) : steps.findLast((step) => step < now);
  if (next) change({ z: String(next) });
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  for (const view of [gridView, memoryView, fromView, toView]) view.repaint();
  if (shown) showLegend(shown.picture.legend);
}

function buildPage() {
  const prefers = matchMedia("(prefers-color-scheme: dark)");
  document.documentElement.dataset.theme = prefers.matches ? "dark" : "light";
  prefers.addEventListener("change", () => setTheme(prefers.matches ? "dark" : "light"));
  $("dtype").replaceChildren(...TYPES.map((name) => new Option(name, name)));
  buildMenus();
  const click = (id, run) => $(id).addEventListener("click", run);
  const choose = (id, name) => $(id).addEventListener("change", () => change({ [name]: $(id).value }));
  choose("dtype", "t");
  choose("color", "c");
  choose("view", "g");
  choose("memory-kind", "m");
  $("vector").addEventListener("input", () => change({ v: $("vector").value }));
  click("undo", undo);
  click("redo", redo);
  click("link", () => copyText(location.href, "the link"));
  click("theme", () => setTheme(isDark() ? "light" : "dark"));
  click("examples-button", () => $("examples").showModal());
  click("help-button", () => $("help").showModal());
  click("export-button", openExport);
  click("zoom-in", () => zoom(1));
  click("zoom-out", () => zoom(-1));
  click("zoom-fit", () => zoom(0));
  click("unpin", () => change({ p: "" }));
  click("play", player.play);
  click("back", () => player.go(player.at() - 1));
  click("forward", () => player.go(player.at() + 1));
  $("progress").addEventListener("input", () => player.go(Number($("progress").value)));
  click("swap", () => change({ e: state.w, w: state.e, p: "", k: "" }));
  click("skip", (event) => {
    // The fragment is the state.
    event.preventDefault();
    $("expression").focus();
  });
  for (const view of [gridView, memoryView]) {
    view.box.addEventListener("focus", () => view.draw());
    view.box.addEventListener("blur", () => view.draw());
  }
  document.addEventListener("keydown", shortcut);
}

function focus(id) {
  $(id).focus();
  $(id).scrollIntoView({ block: "nearest" });
}

function shortcut(event) {
  const key = event.key;
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "z") {
    event.preventDefault();
    return event.shiftKey ? redo() : undo();
  }
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "y") {
    event.preventDefault();
    return redo();
  }
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (/^(TEXTAREA|INPUT|SELECT)$/.test(event.target.tagName)) return;
  const nextColor = (step) => {
    const { options, selectedIndex } = $("color");
    change({ c: options[(selectedIndex + step + options.length) % options.length].value });
  };
  const actions = {
    "/": () => focus("expression"),
    g: () => focus("grid"),
    m: () => focus("memory"),
    d: () => focus("other"),
    a: () => focus("threads"),
    c: () => nextColor(1),
    C: () => nextColor(-1),
    "+": () => zoom(1),
    "=": () => zoom(1),
    "-": () => zoom(-1),
    0: () => zoom(0),
    p: () => player.play(),
    "[": () => player.go(player.at() - 1),
    "]": () => player.go(player.at() + 1),
    e: () => $("examples").showModal(),
    x: openExport,
    l: () => copyText(location.href, "the link"),
    t: () => setTheme(isDark() ? "light" : "dark"),
    "?": () => $("help").showModal(),
    Escape: () => change({ p: "" }),
  };
  const action = actions[key];
  if (!action) return;
  event.preventDefault();
  action();
}

async function start() {
  buildPage();
  const names = await ask({ op: "names" });
  if (names.errors) return editor.problems(names.errors);
  const options = (list) => list.map((name) => new Option(name, name === "auto" ? "" : name));
  $("color").replaceChildren(...options(names.colors));
  $("view").replaceChildren(new Option("auto", ""), ...options(names.views.filter((name) => name !== "memory")));
  $("memory-kind").replaceChildren(...options(names.memories));
  buildExport(names.formats);
  showFields();
  await update();
}

start();
