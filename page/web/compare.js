// Two layouts: what differs, and the way from one to the other in the order of the copy.

const compare = {
  from: null, // models of both memories
  to: null,
  plan: null, // the `relayout` answer
  starts: [], // the first move of each step
  timer: 0,
};

const player = {
  count: () => Math.max(0, compare.starts.length - 1),
  at: () => {
    const asked = state.k === "" ? player.count() : Number(state.k);
    return Number.isFinite(asked) ? Math.max(0, Math.min(player.count(), Math.round(asked))) : 0;
  },
  go: (step) => {
    const next = Math.max(0, Math.min(player.count(), step));
    change({ k: next === player.count() ? "" : String(next) }, { remember: false });
  },
  stop: () => {
    clearInterval(compare.timer);
    compare.timer = 0;
    $("play").textContent = "▶ Play";
  },
  play: () => {
    if (compare.timer) return player.stop();
    if (player.count() === 0) return;
    if (player.at() === player.count()) player.go(0);
    $("play").textContent = "❚❚ Pause";
    // All of it in about eight seconds, a step at least every other frame.
    const pause = Math.max(32, Math.min(500, 8000 / player.count()));
    const stride = Math.max(1, Math.round((player.count() * pause) / 8000));
    compare.timer = setInterval(() => {
      player.go(player.at() + stride);
      if (player.at() === player.count()) player.stop();
    }, pause);
  },
};

let compareTurn = 0;

async function updateCompare(shown) {
  const turn = ++compareTurn;
  player.stop();
  const text = state.w.trim();
  const clear = () => {
    compare.plan = null;
    compare.starts = [];
    $("compared").hidden = true;
    $("compare-note").textContent = "";
    $("swap").disabled = true;
  };
  if (!text || !shown) {
    otherEditor.problems([]);
    return clear();
  }
  const request = { from: state.e, to: state.w, dtype: state.t };
  const [difference, plan, from, to] = await Promise.all([
    ask({ op: "diff", ...request }),
    ask({ op: "relayout", ...request }),
    ask({ op: "show", text: state.e, dtype: state.t, memory: state.m, view: "memory" }),
    ask({ op: "show", text: state.w, dtype: state.t, memory: state.m, view: "memory" }),
  ]);
  if (turn !== compareTurn) return;
  const errors = difference.field !== "from" ? (difference.errors ?? []) : [];
  otherEditor.problems(errors);
  if (difference.errors) return clear();
  $("swap").disabled = false;
  $("compared").hidden = false;
  showDifference(difference);
  $("from-text").textContent = state.e;
  $("to-text").textContent = state.w;
  const drawn = !plan.errors && !from.errors && !to.errors && plan.listed > 0;
  $("plan").textContent = plan.errors ? plan.errors.map((error) => error.message).join("\n") : plan.plan;
  for (const view of [fromView, toView]) view.box.parentElement.hidden = !drawn;
  document.querySelector(".player").hidden = !drawn;
  compare.plan = drawn ? plan : null;
  compare.starts = drawn ? startsOf(plan) : [];
  if (!drawn) return;
  compare.from = modelOf(from, { most: 340 });
  // Cells of the memory for places of the plan.
  compare.fromCell = cellsOfSlots(from, plan.storage[0]);
  compare.toCell = cellsOfSlots(to, plan.storage[1]);
  // The move that writes each cell.
  const writes = new Map();
  plan.destination.forEach((slot, k) => writes.set(compare.toCell(slot), k));
  const color = (cell) => {
    const k = writes.get(cell);
    return k === undefined || k >= compare.done ? null : compare.from.color(compare.fromCell(plan.source[k]));
  };
  compare.done = compare.starts[player.at()];
  const padding = (cell) => color(cell) === null;
  compare.to = modelOf(to, { most: 340, color, padding, legend: from.legend });
  fromView.show(compare.from);
  toView.show(compare.to);
  $("progress").max = String(player.count());
  showStep();
}

// The cell of a picture of memory for `core * storage + offset`.
function cellsOfSlots(picture, storage) {
  const { rows, columns } = picture.blocks[0];
  const drawn = rows.headers.length * columns.headers.length;
  return (slot) => (storage === null ? slot : Math.floor(slot / storage) * drawn + (slot % storage));
}

function startsOf(plan) {
  const starts = [];
  plan.step.forEach((step, k) => {
    if (step === starts.length) starts.push(k);
  });
  if (plan.step.length > 0) starts.push(plan.step.length);
  return starts;
}

function showDifference(difference) {
  const line = $("difference");
  line.replaceChildren();
  const { relation, first, changed, cells, cycles, bytes, between_cores } = difference;
  $("compare-note").textContent = relation;
  const point = (value) => (value && typeof value === "object" && !Array.isArray(value) ? `${value.core}:${value.offset}` : factText(value));
  const parts = [];
  if (difference.same) parts.push(relation === "identical" ? "Both are equal." : "Both are the same function of the 1-D coordinate.");
  if (relation === "other domain") parts.push(`Their coordinates differ: ${cells[0]} and ${cells[1]} elements.`);
  if (first) parts.push(`They differ first at ${factText(first.coordinate)}: ${point(first.a)} and ${point(first.b)}.`);
  if (changed) parts.push(`${changed} of ${cells[0]} elements have another place${bytes ? `, ${bytes} bytes` : ""}.`);
  if (between_cores) parts.push(`${between_cores} go to another core.`);
  if (cycles?.count) parts.push(`The permutation has ${plural(cycles.count, "cycle")}, and ${plural(cycles.fixed, "offset")} of ${cells[0]} stay.`);
  line.textContent = parts.join(" ");
}

// The step that is shown: what is there already, and what moves.
function showStep() {
  const { plan, starts } = compare;
  if (!plan || starts.length < 2) return;
  const step = player.at();
  const range = $("progress");
  range.value = String(step);
  compare.done = starts[step];
  toView.repaint();
  const [fromMarks, toMarks] = [new Map(), new Map()];
  if (step > 0) {
    const [first, last] = [starts[step - 1], starts[step]];
    for (let k = first; k < Math.min(last, first + 512); k++) {
      fromMarks.set(compare.fromCell(plan.source[k]), "now");
      toMarks.set(compare.toCell(plan.destination[k]), "now");
    }
  }
  const all = step === player.count();
  fromView.mark(all ? new Map() : fromMarks);
  toView.mark(all ? new Map() : toMarks);
  if (!all && step > 0) {
    fromView.reveal(compare.fromCell(plan.source[starts[step - 1]]));
    toView.reveal(compare.toCell(plan.destination[starts[step - 1]]));
  }
  const elements = step > 0 ? starts[step] - starts[step - 1] : 0;
  $("progress-note").textContent = all
    ? `${player.count()} steps, ${plan.listed} elements`
    : `step ${step} of ${player.count()}${elements > 0 ? `: ${elements} element${elements > 1 ? "s" : ""}` : ""}`;
}
