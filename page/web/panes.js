// The panes of one layout: its value, grid and memory, one cell, notations, facts, derivation, access.

const $ = (id) => document.getElementById(id);

function element(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== "") made.textContent = text;
  return made;
}

const isDark = () => document.documentElement.dataset.theme === "dark";

const COLORS = [
  ["", "what suits it"],
  ["tile", "tile"],
  ["offset", "offset"],
  ["line", "cache line"],
  ["bank", "bank"],
  ["stick", "stick"],
  ["core", "core"],
  ["row", "row (thread)"],
  ["column", "column (value)"],
];
const paletteOf = (color) => ({ offset: "ramp", bank: "wheel" })[color] ?? "set";

// Colours of groups: how many there are.
const groupCount = (groups) => groups.reduce((most, group) => Math.max(most, group ?? 0), 0) + 1;

// What is drawn of a `show` answer: the grid.
function gridModel(shown) {
  const { rows, columns, blocks, offset, label, group, memory } = shown;
  const storage = memory?.storage ?? 1;
  const many = (memory?.cores ?? 1) > 1;
  const text = label
    ? (cell) => label[cell]
    : many
      ? (cell) => `${Math.floor(offset[cell] / storage)}:${offset[cell] % storage}`
      : (cell) => String(offset[cell]);
  const exists = (cell) => (label ? label[cell] : offset[cell]) !== null;
  let letters = 1;
  const step = Math.max(1, Math.floor(shown.cells / 4096));
  for (let cell = 0; cell < shown.cells; cell += step) {
    if (exists(cell)) letters = Math.max(letters, text(cell).length);
  }
  if (!label && !many) letters = Math.max(letters, String((memory?.first ?? 0) + (memory?.slots ?? 1) - 1).length);
  return {
    rows, columns, blocks, text, letters,
    count: shown.cells,
    titles: shown.titles,
    tile: shown.tile,
    kind: paletteOf(shown.color),
    groups: groupCount(group),
    most: 620,
    cell: (block, row, column) => {
      const cell = row + rows * (column + columns * block);
      return exists(cell) ? cell : -1;
    },
    place: (cell) => [Math.floor(cell / (rows * columns)), cell % rows, Math.floor(cell / rows) % columns],
    group: (cell) => group[cell],
    rowName: (row) => String(shown.wrapped ? row * columns : row),
    columnName: String,
  };
}

// Which cells are in each slot: the first one, and how many.
function slotsOf(shown) {
  const { memory, offset } = shown;
  const first = new Int32Array(memory.shown).fill(-1);
  const count = new Uint32Array(memory.shown);
  for (let cell = offset.length - 1; cell >= 0; cell--) {
    if (offset[cell] === null) continue;
    const slot = offset[cell] - memory.first;
    if (slot >= memory.shown) continue;
    first[slot] = cell;
    count[slot]++;
  }
  return { first, count };
}

// What is drawn of a `show` answer: the memory.
function memoryModel(shown, slots, { most = 300, group } = {}) {
  const { memory, rows, columns, blocks } = shown;
  const { storage, cores, width } = memory;
  const index = (cell) => {
    const [block, row, column] = [Math.floor(cell / (rows * columns)), cell % rows, Math.floor(cell / rows) % columns];
    if (shown.wrapped || shown.row_mode === null) return String(row * columns + column);
    return blocks > 1 ? `${block}:${row},${column}` : `${row},${column}`;
  };
  const text = (slot) => {
    if (slots.first[slot] < 0) return "";
    return slots.count[slot] > 1 ? `×${slots.count[slot]}` : index(slots.first[slot]);
  };
  const lastCell = shown.cells - 1;
  const drawn = Math.min(cores, Math.max(1, Math.floor(memory.shown / Math.max(1, storage))));
  return {
    rows: Math.ceil(storage / width),
    columns: width,
    blocks: drawn,
    count: Math.min(memory.shown, drawn * storage),
    titles: cores > 1 ? Array.from({ length: drawn }, (_, core) => `core ${core}`) : [],
    tile: [0, 0],
    kind: paletteOf(shown.color),
    groups: groupCount(shown.group),
    most, text,
    letters: shown.cells > 0 ? Math.max(2, index(Math.max(0, lastCell)).length) : 2,
    cell: (core, row, column) => {
      const slot = row * width + column;
      return slot < storage && core * storage + slot < memory.shown ? core * storage + slot : -1;
    },
    place: (slot) => [Math.floor(slot / storage), Math.floor((slot % storage) / width), (slot % storage) % width],
    group: group ?? ((slot) => (slots.first[slot] < 0 ? null : shown.group[slots.first[slot]])),
    rowName: (row) => String(memory.first + row * width),
    columnName: String,
  };
}

// A table for who does not see the drawing; of a part where there is much.
function describeCells(shown) {
  const model = gridModel(shown);
  const table = element("table");
  table.id = "grid-table";
  table.append(element("caption", "", `The first rows and columns of the grid of ${state.e}`));
  const [rows, columns] = [Math.min(model.rows, 64), Math.min(model.columns, 64)];
  for (let block = 0; block < Math.min(model.blocks, 8); block++) {
    for (let row = 0; row < rows; row++) {
      const line = element("tr");
      line.append(element("th", "", `${model.titles[block] ?? ""} row ${model.rowName(row)}`));
      for (let column = 0; column < columns; column++) {
        const cell = model.cell(block, row, column);
        line.append(element("td", "", cell < 0 ? "" : model.text(cell)));
      }
      table.append(line);
    }
  }
  $("tables").replaceChildren(table);
}

const YES = new Map([[true, "yes"], [false, "no"]]);
const words = (name) => name.replaceAll("_", " ");

function factText(value) {
  if (value === null) return "–";
  if (typeof value === "boolean") return YES.get(value);
  if (Array.isArray(value)) return `(${value.map(factText).join(",")})`;
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

function showFacts(facts) {
  const list = $("facts");
  list.replaceChildren();
  for (const [name, value] of Object.entries(facts ?? {})) {
    if (name === "text" || name === "morello" || name === "schema") continue;
    if (Array.isArray(value) && value.some((one) => one && typeof one === "object" && !Array.isArray(one))) continue;
    const said = element("dd", value === true ? "yes" : value === false || value === null ? "no" : "", factText(value));
    list.append(element("dt", "", words(name)), said);
  }
}

function copyButton(text, what) {
  const button = element("button", "copy", "copy");
  button.type = "button";
  button.setAttribute("aria-label", `Copy ${what}`);
  button.addEventListener("click", () => copyText(text, what));
  return button;
}

function showNotations(notations) {
  $("notations").replaceChildren(
    ...notations.map((one) => {
      const row = element("div", "notation");
      row.dataset.name = one.name;
      row.append(element("b", "", one.title));
      if (one.text) {
        row.append(element("code", "", one.text), copyButton(one.text, `the notation of ${one.title}`));
      } else {
        row.append(element("span", "why", one.message));
      }
      return row;
    }),
  );
}

function showValue(answer) {
  const line = $("value");
  line.replaceChildren();
  if (!answer) return;
  line.append(element("span", "kind", answer.kind), element("span", "result", answer.text));
}

function showCell(cell, pinned, cores) {
  const box = $("cell");
  $("unpin").hidden = !state.p;
  if (!cell) {
    box.replaceChildren(element("p", "nothing", "Point at a cell, or move through the grid with the arrow keys. A click pins it."));
    return;
  }
  const title = element("p", "cell-value");
  title.append(element("small", "", `${cell.coordinate} ↦ `), cell.value);
  if (pinned) title.append(element("span", "pin", "pinned"));
  const list = element("dl", "facts");
  const add = (name, value) => {
    if (value !== undefined && value !== null) list.append(element("dt", "", name), element("dd", "", String(value)));
  };
  add("1-D coordinate", cell.index);
  if (cores > 1) add("core", cell.core);
  add("offset", cell.offset);
  add("byte", cell.byte);
  add("cache line", cell.line);
  add("bank", cell.bank);
  add("stick", cell.stick);
  box.replaceChildren(title, list);
}

// Steps of a derivation; `onPart` is told which part of the expression a step is about.
function showSteps(explained, onPart) {
  const box = $("steps");
  const parts = explained?.parts ?? [];
  stepValues = [];
  if (parts.length === 0) {
    $("steps-note").textContent = "";
    box.replaceChildren(element("p", "nothing", "There is no operation in the expression. Try composition, logical_divide or complement."));
    return;
  }
  $("steps-note").textContent = explained.holds ? "each step checked point by point" : "a step does not hold";
  const nodes = [];
  for (const part of parts) {
    nodes.push(element("h3", "part-title", part.text ?? part.operation));
    const list = element("ol", "steps");
    for (const step of part.steps) {
      const item = element("li");
      item.style.marginLeft = `${step.depth * 1.1}rem`;
      item.append(element("p", "", step.sentence));
      const row = element("div", "row");
      if (step.value) {
        const button = element("button", "", step.value);
        button.type = "button";
        button.title = "Show this layout";
        button.addEventListener("click", () => change({ e: step.value, p: "" }));
        const at = element("span", "at");
        stepValues.push({ text: step.value, at });
        row.append(button, at);
      }
      if (step.check) {
        const { law, points, of, holds, failure } = step.check;
        const count = points < of ? `first ${points} of ${of} points` : `${points} points`;
        row.append(element("span", holds ? "check" : "check fails", holds ? `✓ ${law}, ${count}` : `✗ ${law}: ${failure}`));
      }
      if (row.childNodes.length > 0) item.append(row);
      item.addEventListener("mouseenter", () => onPart(part));
      item.addEventListener("focusin", () => onPart(part));
      item.addEventListener("mouseleave", () => onPart(null));
      item.addEventListener("focusout", () => onPart(null));
      list.append(item);
    }
    if (part.error) {
      const item = element("li");
      item.append(element("p", "check fails", `✗ ${part.error.message}`));
      list.append(item);
    }
    nodes.push(list);
  }
  box.replaceChildren(...nodes);
}

let stepValues = [];

// The value of each step at the cell that is pointed at.
function showStepValues(cell) {
  stepValues.forEach(({ at }, k) => {
    const value = cell?.others?.[k];
    at.textContent = value === undefined || value === null ? "" : `${cell.index} ↦ ${value}`;
  });
}

function showAccess(answer, onPhase) {
  const box = $("access");
  const access = answer?.accesses?.[0];
  $("access-note").textContent = "";
  if (!access) {
    const why = answer?.errors?.[0]?.message ?? "";
    box.replaceChildren(element("p", "nothing", why || "There is no memory to access."));
    return;
  }
  const nodes = [];
  const { memory } = answer;
  $("access-note").textContent = `${access.threads} threads, ${access.values} values each: ${access.text}`;
  const verdict = element("div", "verdict");
  if (memory.banks) {
    const clean = access.conflicted_phases === 0;
    verdict.classList.toggle("bad", !clean);
    verdict.append(element("strong", "", clean ? "no conflict" : `${access.degree}-way`));
    const text = clean
      ? `${access.passes} passes in ${access.phases} phases.`
      : `Bank conflicts in ${access.conflicted_phases} of ${access.phases} phases: ${access.passes} passes instead of ${access.least_passes}.`;
    verdict.append(element("p", "", text));
  } else if (access.efficiency !== null) {
    const percent = Math.round(access.efficiency * 1000) / 10;
    verdict.classList.toggle("bad", percent < 50);
    verdict.append(element("strong", "", `${percent} %`));
    verdict.append(element("p", "", `Of ${access.bytes_moved} bytes that are moved, ${access.bytes_wanted} are wanted.`));
  }
  nodes.push(verdict);
  const list = element("dl", "facts");
  const add = (name, value) => {
    if (value !== undefined && value !== null) list.append(element("dt", "", name), element("dd", "", String(value)));
  };
  add("longest vector", `${access.longest_vector} elements`);
  add("instructions", access.instructions);
  add("cache lines", access.lines);
  add("sectors", access.sectors);
  nodes.push(list);
  if (memory.banks && access.phase_list.length > 0) nodes.push(phaseTable(access, memory, onPhase));
  const { swizzle } = answer;
  if (swizzle.layout) {
    const remedy = element("p", "remedy");
    const text = swizzle.result === "removes" ? "removes all conflicts." : `leaves ${swizzle.degree}-way conflicts; none removes them.`;
    const words = element("span");
    words.append(element("code", "", swizzle.swizzle), ` ${text} ${swizzle.tried} tried, smallest first.`);
    const use = element("button", "", "Use it");
    use.type = "button";
    use.addEventListener("click", () => change({ e: swizzle.layout }));
    remedy.append(words, use);
    nodes.push(remedy);
  } else if (swizzle.result === "none") {
    nodes.push(element("p", "remedy", `No swizzle helps: all ${swizzle.tried} were tried.`));
  }
  box.replaceChildren(...nodes);
}

function phaseTable(access, memory, onPhase) {
  const table = element("table", "phases");
  const head = element("tr");
  for (const name of ["threads", "degree", `banks 0 to ${memory.banks - 1}`]) head.append(element("th", "", name));
  table.append(head);
  for (const phase of access.phase_list.slice(0, 12)) {
    const line = element("tr");
    line.append(element("td", "", `${phase.threads[0]}..${phase.threads[1]}`), element("td", "", String(phase.degree)));
    const strip = element("div", "banks");
    const used = new Map(phase.banks.map((one) => [one.bank, one]));
    for (let bank = 0; bank < memory.banks; bank++) {
      const cell = element("i");
      const one = used.get(bank);
      if (one) {
        const heat = Math.min(1, (one.words - 1) / 7);
        cell.style.background = one.words === 1 ? "oklch(0.72 0.13 155)" : `oklch(${0.75 - 0.18 * heat} 0.17 ${65 - 40 * heat})`;
        cell.title = `bank ${bank}: ${one.words} words, threads ${one.threads.join(" ")}`;
      }
      strip.append(cell);
    }
    strip.setAttribute("role", "img");
    strip.setAttribute("aria-label", `${used.size} banks used, the busiest has ${phase.degree} words`);
    const cell = element("td");
    cell.append(strip);
    line.append(cell);
    line.tabIndex = 0;
    const tell = () => onPhase(access, phase);
    line.addEventListener("mouseenter", tell);
    line.addEventListener("focus", tell);
    line.addEventListener("mouseleave", () => onPhase(null));
    line.addEventListener("blur", () => onPhase(null));
    table.append(line);
  }
  return table;
}
