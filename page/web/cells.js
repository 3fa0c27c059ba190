// A drawing of many cells: the grid of a layout, and memory. One canvas as large as the window on it;
// only what is in sight is drawn. Colours are one pixel for each cell, scaled up.

// The colours of a legend as pixels.
function palette(legend) {
  const colors = isDark() ? legend.dark : legend.light;
  return colors.map((color) => {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
    return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  });
}

const GAP = 18; // between blocks
const HEAD = 20; // the headers of rows and columns
const TITLE = 22;
const FONT = 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace';

class Cells {
  // `box` scrolls. `on` has `hover(cell)`, `pin(cell)` and `say(cell)`, the text of a cell for who
  // does not see it.
  constructor(box, on) {
    this.box = box;
    this.on = on;
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("aria-hidden", "true");
    this.space = document.createElement("div");
    this.space.className = "space";
    box.append(this.canvas, this.space);
    this.context = this.canvas.getContext("2d");
    this.marks = new Map(); // cell -> "hover" | "pin" | "now" | "done"
    this.cursor = 0;
    this.zoom = "";
    box.addEventListener("scroll", () => this.draw());
    box.addEventListener("mousemove", (event) => this.on.hover(this.cellAt(event)));
    box.addEventListener("mouseleave", () => this.on.hover(-1));
    box.addEventListener("click", (event) => {
      const cell = this.cellAt(event);
      if (cell >= 0) {
        this.cursor = cell;
        this.on.pin(cell);
      }
    });
    box.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.layOut()).observe(box);
  }

  // `model`: `rows`, `columns`, `blocks`, `count`, `titles`; `cell(block, row, column)`, -1 for
  // nothing, and its inverse `place(cell)`; `color(cell)`, a number in `legend`, or null; `text(cell)`
  // of at most so many `letters`; `padding(cell)`; `rowName`, `columnName`, and `rules` of both.
  show(model) {
    this.model = model;
    this.marks.clear();
    if (model) {
      this.cursor = Math.min(this.cursor, Math.max(0, model.count - 1));
      this.paint();
    }
    this.layOut();
  }

  // One pixel for each cell.
  paint() {
    const { model } = this;
    const { rows, columns, blocks } = model;
    this.colors = palette(model.legend);
    this.empty = isDark() ? 0xff302a25 : 0xfff3f2f0;
    this.picture = document.createElement("canvas");
    this.picture.width = columns;
    this.picture.height = rows * blocks;
    const context = this.picture.getContext("2d");
    const image = context.createImageData(columns, rows * blocks);
    const pixels = new Uint32Array(image.data.buffer);
    let k = 0;
    for (let block = 0; block < blocks; block++) {
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++, k++) {
          const cell = model.cell(block, row, column);
          pixels[k] = cell < 0 ? 0 : this.color(cell);
        }
      }
    }
    context.putImageData(image, 0, 0);
  }

  color(cell) {
    const color = this.model.color(cell);
    return color === null || color === undefined ? this.empty : this.colors[color];
  }

  // How large cells are, and where blocks are.
  layOut() {
    const { model, box } = this;
    if (!model || model.count === 0) {
      this.space.style.width = this.space.style.height = "0";
      this.canvas.width = this.canvas.height = 0;
      this.canvas.style.width = this.canvas.style.height = "0";
      return;
    }
    const { rows, columns, blocks } = model;
    const room = box.clientWidth - 4;
    const letters = model.letters;
    const natural = Math.max(30, Math.round(letters * 7.3 + 12));
    const least = Math.max(16, letters * 6.1 + 5); // what a number takes in small print
    this.left = Math.max(HEAD + 6, String(model.rowName(rows - 1)).length * 7 + 12);
    const perWidth = (room - this.left) / columns;
    let [width, height] = [natural, 28];
    if (perWidth < natural) {
      // Numbers that nearly fit are worth a scroll bar, pixels are not.
      const scrolls = perWidth < least && least * columns <= 1.6 * room;
      width = scrolls ? least : Math.max(2, perWidth);
      height = width >= least ? 26 : Math.min(14, width);
    } else if (blocks === 1) {
      // A small one is drawn large.
      const grow = Math.max(1, Math.min(1.5, perWidth / natural, 400 / (rows * 28)));
      [width, height] = [natural * grow, 28 * grow];
    }
    if (this.zoom) {
      width = Number(this.zoom);
      height = Math.min(28, width);
    }
    // Whole pixels, so that all cells have the same size.
    if (width >= 4) width = Math.floor(width);
    if (height >= 4) height = Math.floor(height);
    this.width = width;
    this.height = height;
    this.letters = letters;
    this.numbered = width >= Math.floor(least) && height >= 12;
    const blockWidth = this.left + columns * width;
    const title = model.titles.length > 0 ? TITLE : 0;
    this.title = title;
    const blockHeight = title + HEAD + rows * height;
    const across = Math.max(1, Math.min(blocks, Math.floor((room + GAP) / (blockWidth + GAP))));
    this.across = across;
    this.stepX = blockWidth + GAP;
    this.stepY = blockHeight + GAP;
    const total = [across * this.stepX - GAP + 2, Math.ceil(blocks / across) * this.stepY - GAP + 2];
    this.space.style.width = `${total[0]}px`;
    this.space.style.height = `${total[1]}px`;
    const most = model.most;
    box.style.height = `${Math.min(most, total[1]) + (total[0] > box.clientWidth ? 14 : 0)}px`;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(box.clientWidth * ratio);
    this.canvas.height = Math.round(box.clientHeight * ratio);
    this.canvas.style.width = `${box.clientWidth}px`;
    this.canvas.style.height = `${box.clientHeight}px`;
    this.ratio = ratio;
    this.draw();
  }

  origin(block) {
    return [
      (block % this.across) * this.stepX + this.left,
      Math.floor(block / this.across) * this.stepY + this.title + HEAD,
    ];
  }

  draw() {
    const { model, context, width, height } = this;
    if (!model || model.count === 0) return;
    const style = getComputedStyle(this.box);
    const ink = style.getPropertyValue("--ink");
    const soft = style.getPropertyValue("--soft");
    const line = style.getPropertyValue("--cell-line");
    const rule = style.getPropertyValue("--cell-rule");
    const [x0, y0] = [this.box.scrollLeft, this.box.scrollTop];
    const [w, h] = [this.box.clientWidth, this.box.clientHeight];
    context.setTransform(this.ratio, 0, 0, this.ratio, -x0 * this.ratio, -y0 * this.ratio);
    context.clearRect(x0, y0, w, h);
    context.textBaseline = "middle";
    context.imageSmoothingEnabled = false;
    const { rows, columns, blocks } = model;
    for (let block = 0; block < blocks; block++) {
      const [left, top] = this.origin(block);
      const [right, bottom] = [left + columns * width, top + rows * height];
      if (right < x0 || left - this.left > x0 + w || bottom < y0 || top - HEAD - TITLE > y0 + h) continue;
      context.drawImage(this.picture, 0, block * rows, columns, rows, left, top, columns * width, rows * height);
      const first = [Math.max(0, Math.floor((y0 - top) / height)), Math.max(0, Math.floor((x0 - left) / width))];
      const last = [
        Math.min(rows, Math.ceil((y0 + h - top) / height)),
        Math.min(columns, Math.ceil((x0 + w - left) / width)),
      ];
      this.lines(block, [left, top], first, last, { line, rule });
      if (this.title) {
        context.font = `600 12px ${FONT}`;
        context.textAlign = "left";
        context.fillStyle = soft;
        context.fillText(model.titles[block] ?? "", left, top - HEAD - TITLE / 2 + 2);
      }
      this.headers([left, top], first, last, soft);
      if (this.numbered) this.numbers(block, [left, top], first, last, { ink, soft });
    }
    this.drawMarks(style);
  }

  lines(block, [left, top], first, last, { line, rule }) {
    const { context, width, height, model } = this;
    const [right, bottom] = [left + last[1] * width, top + last[0] * height];
    const [x, y] = [left + first[1] * width, top + first[0] * height];
    if (Math.min(width, height) >= 7) {
      context.beginPath();
      context.strokeStyle = line;
      context.lineWidth = 1;
      for (let row = first[0]; row <= last[0]; row++) {
        context.moveTo(x, top + row * height);
        context.lineTo(right, top + row * height);
      }
      for (let column = first[1]; column <= last[1]; column++) {
        context.moveTo(left + column * width, y);
        context.lineTo(left + column * width, bottom);
      }
      context.stroke();
      this.hatch(block, [left, top], first, last);
    }
    // The edges of parts, tiles, sticks and cores, where they are not too near.
    context.strokeStyle = rule;
    const draw = (rules, size, one) => {
      for (const weight of [1, 2, 3]) {
        const some = rules.filter((edge) => edge.weight === weight);
        const gap = some.length > 1 ? (some[1].at - some[0].at) * size : Infinity;
        if (some.length === 0 || gap < 6) continue;
        context.beginPath();
        context.lineWidth = [0.8, 1.5, 2.6][weight - 1];
        for (const { at } of some) one(at);
        context.stroke();
      }
    };
    draw(model.rules[0], height, (at) => {
      if (at < first[0] || at > last[0]) return;
      context.moveTo(x, top + at * height);
      context.lineTo(right, top + at * height);
    });
    draw(model.rules[1], width, (at) => {
      if (at < first[1] || at > last[1]) return;
      context.moveTo(left + at * width, y);
      context.lineTo(left + at * width, bottom);
    });
    context.lineWidth = 1;
    context.strokeRect(left, top, model.columns * width, model.rows * height);
  }

  // What holds no element.
  hatch(block, [left, top], first, last) {
    const { context, width, height, model } = this;
    context.save();
    context.beginPath();
    for (let row = first[0]; row < last[0]; row++) {
      for (let column = first[1]; column < last[1]; column++) {
        const cell = model.cell(block, row, column);
        const [x, y] = [left + column * width, top + row * height];
        if (cell < 0) context.clearRect(x + 0.8, y + 0.8, width, height);
        else if (model.padding(cell)) context.rect(x, y, width, height);
      }
    }
    context.clip();
    context.beginPath();
    const [x1, y1] = [left + first[1] * width, top + first[0] * height];
    const [x2, y2] = [left + last[1] * width, top + last[0] * height];
    for (let x = x1 - (y2 - y1); x < x2; x += 6) {
      context.moveTo(x, y2);
      context.lineTo(x + (y2 - y1), y1);
    }
    context.strokeStyle = getComputedStyle(this.box).getPropertyValue("--hatch");
    context.lineWidth = 1;
    context.stroke();
    context.restore();
  }

  headers([left, top], first, last, soft) {
    const { context, width, height, model } = this;
    context.font = `11px ${FONT}`;
    context.fillStyle = soft;
    const every = (size, letters) => Math.max(1, Math.ceil(letters / size));
    const columns = every(width, String(model.columnName(model.columns - 1)).length * 7 + 8);
    context.textAlign = "center";
    for (let column = first[1]; column < last[1]; column++) {
      if (column % columns === 0) context.fillText(model.columnName(column), left + (column + 0.5) * width, top - 9);
    }
    context.textAlign = "right";
    const rows = every(height, 13);
    for (let row = first[0]; row < last[0]; row++) {
      if (row % rows === 0) context.fillText(model.rowName(row), left - 7, top + (row + 0.5) * height);
    }
  }

  numbers(block, [left, top], first, last, { ink, soft }) {
    const { context, width, height, model } = this;
    context.textAlign = "center";
    const size = Math.max(9.5, Math.min(height > 34 ? 14 : 12, height * 0.6, (width - 4) / (this.letters * 0.602)));
    context.font = `${size}px ${FONT}`;
    for (let row = first[0]; row < last[0]; row++) {
      for (let column = first[1]; column < last[1]; column++) {
        const cell = model.cell(block, row, column);
        if (cell < 0) continue;
        context.fillStyle = model.padding(cell) ? soft : ink;
        context.fillText(model.text(cell), left + (column + 0.5) * width, top + (row + 0.5) * height + 0.5);
      }
    }
  }

  drawMarks(style) {
    const { context, model, width, height } = this;
    const colors = { hover: "--ink", pin: "--accent", now: "--accent", cursor: "--soft" };
    const marks = new Map(this.marks);
    if (document.activeElement === this.box && !marks.has(this.cursor)) marks.set(this.cursor, "cursor");
    for (const [cell, mark] of marks) {
      const place = model.place(cell);
      if (!place) continue;
      const [left, top] = this.origin(place[0]);
      const [x, y] = [left + place[2] * width, top + place[1] * height];
      context.strokeStyle = style.getPropertyValue(colors[mark]);
      context.lineWidth = mark === "hover" || mark === "cursor" ? 2 : 3;
      context.setLineDash(mark === "cursor" ? [4, 3] : []);
      const grow = Math.max(0, 8 - width) / 2;
      context.strokeRect(x - grow + 0.5, y - grow + 0.5, width + 2 * grow - 1, height + 2 * grow - 1);
    }
    context.setLineDash([]);
  }

  mark(marks) {
    this.marks = marks;
    this.draw();
  }

  // Colours changed, not sizes.
  repaint() {
    if (!this.model) return;
    this.paint();
    this.draw();
  }

  cellAt(event) {
    const { model, box } = this;
    if (!model || model.count === 0) return -1;
    const bounds = box.getBoundingClientRect();
    const x = event.clientX - bounds.left - box.clientLeft + box.scrollLeft;
    const y = event.clientY - bounds.top - box.clientTop + box.scrollTop;
    const across = Math.floor(x / this.stepX);
    if (across >= this.across) return -1;
    const block = Math.floor(y / this.stepY) * this.across + across;
    if (block < 0 || block >= model.blocks) return -1;
    const [left, top] = this.origin(block);
    const [row, column] = [Math.floor((y - top) / this.height), Math.floor((x - left) / this.width)];
    if (row < 0 || row >= model.rows || column < 0 || column >= model.columns) return -1;
    return model.cell(block, row, column);
  }

  key(event) {
    const { model } = this;
    if (!model || model.count === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = model.place(this.cursor) ?? [0, 0, 0];
    let [block, row, column] = place;
    const far = event.shiftKey;
    const jump = (rules) => (far ? (rules.find((edge) => edge.weight > 1)?.at ?? 8) : 1);
    const [jumpRow, jumpColumn] = [jump(model.rules[0]), jump(model.rules[1])];
    switch (event.key) {
      case "ArrowLeft": column -= jumpColumn; break;
      case "ArrowRight": column += jumpColumn; break;
      case "ArrowUp": row -= jumpRow; break;
      case "ArrowDown": row += jumpRow; break;
      case "Home": column = 0; if (far) row = 0; break;
      case "End": column = model.columns - 1; if (far) row = model.rows - 1; break;
      case "PageUp": block -= 1; break;
      case "PageDown": block += 1; break;
      case "Enter":
      case " ":
        event.preventDefault();
        this.on.pin(this.cursor);
        return;
      default: return;
    }
    event.preventDefault();
    const clamp = (at, most) => Math.max(0, Math.min(most - 1, at));
    const cell = model.cell(clamp(block, model.blocks), clamp(row, model.rows), clamp(column, model.columns));
    if (cell < 0) return;
    this.cursor = cell;
    this.reveal(cell);
    this.on.hover(cell);
    this.on.say(cell);
  }

  reveal(cell) {
    const place = this.model?.place(cell);
    if (!place) return;
    const [left, top] = this.origin(place[0]);
    const [x, y] = [left + place[2] * this.width, top + place[1] * this.height];
    const { box } = this;
    if (x - this.left < box.scrollLeft) box.scrollLeft = x - this.left;
    if (x + this.width > box.scrollLeft + box.clientWidth) box.scrollLeft = x + this.width - box.clientWidth;
    if (y - HEAD < box.scrollTop) box.scrollTop = y - HEAD;
    if (y + this.height > box.scrollTop + box.clientHeight) box.scrollTop = y + this.height - box.clientHeight;
  }
}
