// The panes of one layout: its value, grid and memory, one cell, notations, facts, derivation, access.

const $ = (id) => document.getElementById(id);

function element(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== "") made.textContent = text;
  return made;
}

const isDark = () => document.documentElement.dataset.theme === "dark";

// A single row is drawn in lines of so many.
const WRAP = 32;

// What is drawn of a picture: its cells are numbered row by row, block by block.
function modelOf(picture, { most = 620, color, legend = picture.legend, padding } = {}) {
  const { blocks } = picture;
  const { rows, columns } = blocks[0];
  const [drawn, across] = [rows.headers.length, columns.headers.length];
  const size = drawn * across;
  const wrapped = drawn === 1 && across > 2 * WRAP;
  const width = wrapped ? WRAP : across;
  const height = wrapped ? Math.ceil(across / WRAP) : drawn;
  const blockOf = (cell) => blocks[Math.floor(cell / size)];
  const text = (cell) => {
    const block = blockOf(cell);
    const at = cell % size;
    return block.labels ? block.labels[at] : String(block.offsets[at]);
  };
  let letters = 1;
  const count = size * blocks.length;
  const step = Math.max(1, Math.floor(count / 4096));
  for (let cell = 0; cell < count; cell += step) letters = Math.max(letters, text(cell).length);
  letters = Math.max(letters, text(count - 1).length);
  return {
    legend, count, text, letters, wrapped, most, picture,
    rows: height,
    columns: width,
    blocks: blocks.length,
    titles: blocks.some((block) => block.title) ? blocks.map((block) => block.title ?? "") : [],
    rules: wrapped ? [[], []] : [rows.rules, columns.rules],
    cell: (block, row, column) => {
      const at = row * width + column;
      return at < size ? block * size + at : -1;
    },
    place: (cell) => {
      const at = cell % size;
      return [Math.floor(cell / size), Math.floor(at / width), at % width];
    },
    color: color ?? ((cell) => blockOf(cell).colors?.[cell % size] ?? null),
    padding: padding ?? ((cell) => blockOf(cell).coordinates?.[cell % size] === null),
    rowName: wrapped ? (row) => String(row * WRAP) : (row) => rows.headers[row],
    columnName: wrapped ? String : (column) => columns.headers[column],
    // The coordinate of the element in a cell, or null.
    coordinate: (cell) => {
      const block = blockOf(cell);
      const at = cell % size;
      if (block.coordinates) return block.coordinates[at];
      const inside = drawn === 1 && block.at.filter((c) => c === null).length < 2 ? [at] : [Math.floor(at / across), at % across];
      return block.at.map((c) => c ?? inside.shift());
    },
    offset: (cell) => blockOf(cell).offsets?.[cell % size] ?? null,
    core: (cell) => blockOf(cell).cores?.[cell % size] ?? 0,
  };
}

// The cell with a coordinate, -1 for none.
function cellOf(model, coordinate) {
  const text = coordinate.join();
  const { blocks } = model.picture;
  const size = blocks[0].rows.headers.length * blocks[0].columns.headers.length;
  const outside = (block) => block.at?.some((c, mode) => c !== null && c !== coordinate[mode]);
  for (let block = 0; block < blocks.length; block++) {
    if (outside(blocks[block])) continue;
    for (let cell = block * size; cell < (block + 1) * size; cell++) {
      if (model.coordinate(cell)?.join() === text) return cell;
    }
  }
  return -1;
}

// Which cells of the grid are in each cell of the memory: the first one, and how many.
function slotsOf(grid, memory) {
  const { blocks } = memory.picture;
  const storage = blocks[0].rows.headers.length * blocks[0].columns.headers.length;
  const first = new Int32Array(memory.count).fill(-1);
  const count = new Uint32Array(memory.count);
  const slotOf = (offset, core) =>
    offset === null || offset < 0 || offset >= storage || core >= blocks.length ? -1 : core * storage + offset;
  for (let cell = grid.count - 1; cell >= 0; cell--) {
    if (grid.padding(cell)) continue;
    const slot = slotOf(grid.offset(cell), grid.core(cell));
    if (slot < 0) continue;
    first[slot] = cell;
    count[slot]++;
  }
  return { first, count, storage, slotOf };
}

// A table for who does not see the drawing; of a part where there is much.
function describeCells(model) {
  const table = element("table");
  table.id = "grid-table";
  table.append(element("caption", "", model.picture.description));
  const [rows, columns] = [Math.min(model.rows, 40), Math.min(model.columns, 40)];
  for (let block = 0; block < Math.min(model.blocks, 8); block++) {
    for (let row = 0; row < rows; row++) {
      const line = element("tr");
      line.append(element("th", "", `${model.titles[block] ?? ""} ${model.rowName(row)}`));
      for (let column = 0; column < columns; column++) {
        const cell = model.cell(block, row, column);
        const said = element("td", "", cell < 0 ? "" : model.text(cell));
        const at = cell < 0 ? null : model.coordinate(cell);
        if (at) said.dataset.at = at.join();
        line.append(said);
      }
      table.append(line);
    }
  }
  $("tables").replaceChildren(table);
}

function showLegend(legend) {
  const shown = legend.entries.slice(0, 16);
  const colors = isDark() ? legend.dark : legend.light;
  const nodes = shown.map(({ label, color }) => {
    const item = element("span", "entry");
    const swatch = element("i");
    swatch.style.background = colors[color];
    item.append(swatch, label);
    return item;
  });
  if (legend.entries.length > shown.length) nodes.push(element("span", "entry", "…"));
  if (shown.length > 0) nodes.unshift(element("span", "entry title", legend.title));
  $("legend").replaceChildren(...nodes);
}

const plural = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;
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
  $("access-note").textContent = `${plural(access.threads, "thread")}, ${plural(access.values, "value")} each: ${access.text}`;
  const verdict = element("div", "verdict");
  if (memory.banks) {
    const clean = access.conflicted_phases === 0;
    verdict.classList.toggle("bad", !clean);
    verdict.append(element("strong", "", clean ? "no conflict" : `${access.degree}-way`));
    const text = clean
      ? `${access.passes} ${access.passes === 1 ? "pass" : "passes"} in ${plural(access.phases, "phase")}.`
      : `Bank conflicts in ${access.conflicted_phases} of ${access.phases} phases: ${access.passes} passes instead of ${access.least_passes}.`;
    verdict.append(element("p", "", text));
  } else if (access.efficiency !== null) {
    const percent = Math.round(access.efficiency * 1000) / 10;
    verdict.classList.toggle("bad", percent < 50);
    verdict.append(element("strong", "", `${percent} %`));
    verdict.append(element("p", "", `${access.bytes_moved} bytes are moved, ${access.bytes_wanted} of them are used.`));
  }
  nodes.push(verdict);
  const list = element("dl", "facts");
  const add = (name, value) => {
    if (value !== undefined && value !== null) list.append(element("dt", "", name), element("dd", "", String(value)));
  };
  add("vector", plural(access.vector, "element"));
  add("longest vector", plural(access.longest_vector, "element"));
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
        const words = one.words.length;
        const heat = Math.min(1, (words - 1) / 7);
        cell.style.background = words === 1 ? "oklch(0.72 0.13 155)" : `oklch(${0.75 - 0.18 * heat} 0.17 ${65 - 40 * heat})`;
        cell.title = `bank ${bank}: ${words} words, threads ${one.threads.join(" ")}`;
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
