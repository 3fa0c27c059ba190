// What happens when: the state changes, the panes follow.

const TYPES = ["f64", "f32", "f16", "bf16", "f8e4m3", "i64", "i32", "i16", "i8", "u8", "i4"];

let shown = null; // the `show` answer on the screen
let slots = null;
let cellsOfOffset = new Map();
let hovered = -1;

const gridView = new Cells($("grid"), { hover: hoverCell, pin: pinCell, say: sayCell });
const memoryView = new Cells($("memory"), { hover: hoverSlot, pin: pinSlot, say: saySlot });
const ignore = { hover() {}, pin() {}, say() {} };
const fromView = new Cells($("from"), ignore);
const toView = new Cells($("to"), ignore);

const editor = new Editor($("editor"), (text) => change({ e: text, p: "" }));
const otherEditor = new Editor($("other-editor"), (text) => change({ w: text, k: "" }));
const threadsEditor = new Editor($("threads-editor"), (text) => change({ a: text }));

const isCell = (cell) => gridView.model && cell >= 0 && cell < (shown?.cells ?? 0);
const pinned = () => (state.p !== "" && isCell(Number(state.p)) ? Number(state.p) : -1);

function slotOf(cell) {
  const offset = shown?.memory ? shown.offset[cell] : null;
  return offset === null || offset === undefined ? -1 : offset - shown.memory.first;
}

// All cells in the same slot: more than one where the layout is not injective.
function together(cell) {
  const slot = slotOf(cell);
  if (slot < 0 || slots.count[slot] <= 1) return [cell];
  return cellsOfOffset.get(shown.offset[cell]) ?? [cell];
}

function drawMarks() {
  const [grid, memory] = [new Map(), new Map()];
  const add = (cell, mark) => {
    if (cell < 0) return;
    for (const one of together(cell)) grid.set(one, mark);
    const slot = slotOf(cell);
    if (slot >= 0) memory.set(slot, mark);
  };
  add(hovered, "hover");
  add(pinned(), "pin");
  gridView.mark(grid);
  memoryView.mark(memory);
}

let cellTurn = 0;

async function describe(cell) {
  const turn = ++cellTurn;
  if (!isCell(cell)) {
    showCell(null);
    showStepValues(null);
    return null;
  }
  const others = stepValues.map((step) => step.text);
  const answer = await ask({ op: "cell", text: state.e, dtype: state.t, cell, others });
  if (turn !== cellTurn) return null;
  const right = answer.errors || answer.cell === undefined ? null : answer;
  showCell(right, cell === pinned(), shown?.memory?.cores);
  showStepValues(right);
  return right;
}

function hoverCell(cell) {
  if (cell === hovered) return;
  hovered = cell;
  drawMarks();
  describe(cell >= 0 ? cell : pinned());
  if (cell >= 0 && slotOf(cell) >= 0 && document.activeElement === gridView.box) memoryView.reveal(slotOf(cell));
}

function hoverSlot(slot) {
  const cell = slot >= 0 && slots ? slots.first[slot] : -1;
  hoverCell(cell);
  if (cell >= 0 && document.activeElement === memoryView.box) gridView.reveal(cell);
}

function pinCell(cell) {
  change({ p: String(cell) === state.p ? "" : String(cell) });
}

function pinSlot(slot) {
  const cell = slots ? slots.first[slot] : -1;
  if (cell >= 0) pinCell(cell);
}

async function sayCell(cell) {
  const answer = await describe(cell);
  if (answer) $("live").textContent = `${answer.coordinate} is at ${answer.value}`;
}

function saySlot(slot) {
  const cell = slots?.first[slot] ?? -1;
  if (cell < 0) $("live").textContent = `slot ${slot} holds no element`;
  else sayCell(cell);
}

// Marks what a phase of an access touches.
function showPhase(access, phase) {
  if (!access || !access.offsets) return drawMarks();
  const grid = new Map();
  const memory = new Map();
  const values = access.instruction_list[phase.instruction]?.values ?? [0, 1];
  for (let thread = phase.threads[0]; thread < phase.threads[1]; thread++) {
    for (const offset of access.offsets[thread].slice(values[0], values[1])) {
      const slot = offset - shown.memory.first;
      memory.set(slot, "now");
      if (slots.first[slot] >= 0) grid.set(slots.first[slot], "now");
    }
  }
  gridView.mark(grid);
  memoryView.mark(memory);
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
  const [answer, drawing] = await Promise.all([
    ask({ op: "eval", text, dtype: state.t }),
    ask({ op: "show", text, dtype: state.t, color: state.c }),
  ]);
  if (turn !== updateTurn) return;
  const errors = answer.errors ?? [];
  editor.problems(errors);
  const right = errors.length === 0;
  showValue(right ? answer : null);
  showNotations(right ? answer.notations : []);
  showFacts(right ? answer.facts : null);
  showDrawing(right && !drawing.errors ? drawing : null, right ? drawing.errors?.[0]?.message : "The expression has no value yet.");
  performance.measure("redraw", { start, end: performance.now() });
  const explained = await ask({ op: "explain", text });
  if (turn !== updateTurn) return;
  showSteps(explained.errors && !explained.parts ? null : explained, showPart);
  describe(pinned());
  await Promise.all([updateAccess(), updateCompare(shown)]);
  document.documentElement.dataset.ready = String(turn);
}

function showDrawing(drawing, why) {
  shown = drawing && drawing.cells > 0 ? drawing : null;
  hovered = -1;
  for (const box of [$("grid"), $("memory")]) box.querySelector(".nothing")?.remove();
  $("memory-card").hidden = !shown?.memory;
  if (!shown) {
    slots = null;
    gridView.show(null);
    memoryView.show(null);
    $("grid-note").textContent = "";
    $("tables").replaceChildren();
    $("grid").style.height = "auto";
    $("grid").append(element("p", "nothing", drawing?.reason ?? why ?? "There is nothing to draw."));
    return;
  }
  const { rows, columns, blocks, memory } = shown;
  slots = memory ? slotsOf(shown) : null;
  cellsOfOffset = new Map();
  if (slots?.count.some((count) => count > 1)) {
    shown.offset.forEach((offset, cell) => {
      if (offset === null) return;
      if (!cellsOfOffset.has(offset)) cellsOfOffset.set(offset, []);
      cellsOfOffset.get(offset).push(cell);
    });
  }
  gridView.zoom = state.z;
  gridView.show(gridModel(shown));
  const size = shown.wrapped ? `${shown.size} elements, ${columns} in a row` : `${rows} × ${columns}`;
  const cut = shown.cut ? `, a part of ${shown.size} elements` : "";
  const count = shown.titles.length > 0 ? `, ${blocks} block${blocks > 1 ? "s" : ""}` : "";
  $("grid-note").textContent = `${size}${count}${cut}`;
  const auto = $("color").options[0];
  auto.textContent = `auto (${COLORS.find(([name]) => name === shown.color)?.[1] ?? shown.color})`;
  if (state.c) auto.textContent = "auto";
  if (memory) {
    memoryView.show(memoryModel(shown, slots));
    const empty = memory.slots - slots.count.reduce((sum, count) => sum + (count > 0), 0);
    const cores = memory.cores > 1 ? `${memory.cores} cores of ${memory.storage} slots` : `${memory.slots} slots`;
    $("memory-note").textContent = `${cores}, a ${memory.unit} in a row${empty > 0 && !shown.cut ? `, ${empty} ${memory.empty}` : ""}`;
  }
  drawMarks();
  describeCells(shown);
}

async function updateAccess() {
  const answer = await ask({ op: "access", text: state.e, dtype: state.t, threads: state.a, vector: state.v, memory: state.m });
  const wrong = answer.errors ?? [];
  threadsEditor.problems(wrong.filter(() => answer.field === "threads"));
  showAccess(wrong.length > 0 && (answer.field === "threads" || !shown) ? null : answer, showPhase);
}

// Fields of the page that show the state.
function showFields() {
  editor.set(state.e);
  otherEditor.set(state.w);
  threadsEditor.set(state.a);
  $("dtype").value = state.t;
  $("color").value = state.c;
  $("vector").value = state.v;
  $("memory-kind").value = state.m;
  $("undo").disabled = past.length === 0;
  $("redo").disabled = future.length === 0;
  document.title = `${state.e} · Layout explorer`;
}

listener = (names) => {
  showFields();
  const only = (...fields) => names.every((name) => fields.includes(name));
  if (only("p")) {
    drawMarks();
    describe(pinned());
  } else if (only("k")) showStep();
  else if (only("z")) {
    gridView.zoom = state.z;
    gridView.layOut();
  } else if (only("a", "v", "m")) updateAccess();
  else if (only("w", "k")) updateCompare(shown);
  else update();
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
}

function buildPage() {
  const prefers = matchMedia("(prefers-color-scheme: dark)");
  document.documentElement.dataset.theme = prefers.matches ? "dark" : "light";
  prefers.addEventListener("change", () => setTheme(prefers.matches ? "dark" : "light"));
  $("dtype").replaceChildren(...TYPES.map((name) => new Option(name, name)));
  $("color").replaceChildren(...COLORS.map(([name, title]) => new Option(title, name)));
  buildMenus();
  buildExport();
  const click = (id, run) => $(id).addEventListener("click", run);
  const choose = (id, name) => $(id).addEventListener("change", () => change({ [name]: $(id).value }));
  choose("dtype", "t");
  choose("color", "c");
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
    const at = COLORS.findIndex(([name]) => name === state.c);
    change({ c: COLORS[(at + step + COLORS.length) % COLORS.length][0] });
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

buildPage();
showFields();
update();
