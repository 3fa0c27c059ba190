// A field for an expression: colours, carets under what is wrong, and names of operations.

// Places in errors are bytes of UTF-8; JavaScript counts units of UTF-16.
function unitsOfBytes(text, bytes) {
  let at = 0;
  let units = 0;
  for (const c of text) {
    if (at >= bytes) break;
    at += encoder.encode(c).length;
    units += c.length;
  }
  return units;
}

const TOKENS = /(\d+)|([A-Za-z_][A-Za-z0-9_.]*)|([()[\]{}<>])|([:@,^])|(\s+)|(.)/gsu;
const CLASSES = [null, "number", "name", "bracket", "sign", null, "other"];

// Spans for the parts of an expression; `marks` are ranges that are wrong.
function highlighted(text, marks) {
  const parts = [];
  for (const match of text.matchAll(TOKENS)) {
    const kind = match.findIndex((part, k) => k > 0 && part !== undefined);
    parts.push({ start: match.index, end: match.index + match[0].length, kind: CLASSES[kind] });
  }
  const fragment = document.createDocumentFragment();
  const wrong = (at) => marks.some(([start, end]) => at >= start && at < end);
  for (const { start, end, kind } of parts) {
    for (let at = start; at < end; ) {
      const bad = wrong(at);
      let to = at + 1;
      while (to < end && wrong(to) === bad) to++;
      const span = document.createElement("span");
      span.className = [kind, bad ? "wrong" : ""].filter(Boolean).join(" ");
      span.textContent = text.slice(at, to);
      fragment.append(span);
      at = to;
    }
  }
  // A range behind the last character is shown as a space.
  if (marks.some(([start]) => start >= text.length)) {
    const span = document.createElement("span");
    span.className = "wrong";
    span.textContent = " ";
    fragment.append(span);
  }
  return fragment;
}

class Editor {
  constructor(root, onChange) {
    this.root = root;
    this.input = root.querySelector("textarea");
    this.colors = root.querySelector(".colors");
    this.list = root.querySelector(".problems");
    this.offers = root.querySelector(".offers");
    this.onChange = onChange;
    this.marks = [];
    this.chosen = -1;
    this.input.addEventListener("input", () => {
      this.marks = [];
      this.paint();
      this.onChange(this.text());
      this.complete();
    });
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    this.input.addEventListener("scroll", () => (this.colors.scrollTop = this.input.scrollTop));
  }

  text() {
    return this.input.value.replaceAll("\n", " ");
  }

  set(text) {
    if (this.text() !== text) this.input.value = text;
    this.paint();
  }

  paint() {
    this.colors.replaceChildren(highlighted(this.input.value, this.marks));
    // As tall as its text.
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight}px`;
  }

  // Says what is wrong, with carets; nothing is wrong with an empty list.
  problems(errors) {
    const text = this.text();
    const places = errors.map((error) =>
      error.start === undefined ? null : [unitsOfBytes(text, error.start), unitsOfBytes(text, error.end)],
    );
    this.marks = places
      .filter(Boolean)
      .map(([start, end]) => [start, Math.max(end, start + 1)]);
    this.input.setAttribute("aria-invalid", String(errors.length > 0));
    this.list.replaceChildren(...errors.map((error, k) => this.problem(text, error, places[k])));
    this.paint();
  }

  problem(text, error, place) {
    const item = element("li");
    const title = element("p", "problem-title");
    if (/^L\d+$/.test(error.code)) {
      const code = element("button", "code", `error[${error.code}]`);
      code.type = "button";
      code.title = `What ${error.code} means`;
      code.addEventListener("click", () => showEntry(error.code));
      title.append(code);
    } else {
      title.append(element("span", "code", "error"));
    }
    title.append(` ${error.message}`);
    item.append(title);
    if (place) {
      const [start, end] = place;
      const snippet = element("pre", "snippet");
      snippet.textContent = `${text}\n${" ".repeat(start)}${"^".repeat(Math.max(1, end - start))}`;
      item.append(snippet);
    }
    if (error.help) {
      const help = element("p", "help");
      help.append(element("strong", "", "help: "), error.help);
      item.append(help);
    }
    return item;
  }

  async complete() {
    const before = this.input.value.slice(0, this.input.selectionStart);
    const prefix = before.match(/[a-z_][a-z0-9_]*$/)?.[0] ?? "";
    if (prefix.length < 2) return this.close();
    const answer = await ask({ op: "complete", prefix });
    const operations = (answer.operations ?? []).slice(0, 8);
    if (operations.length === 0) return this.close();
    this.prefix = prefix;
    this.operations = operations;
    this.chosen = 0;
    this.offers.replaceChildren(
      ...operations.map((operation, k) => {
        const item = element("li");
        item.setAttribute("role", "option");
        item.id = `${this.input.id}-offer-${k}`;
        const params = operation.params.map((param, n) => (n >= operation.least ? `[${param}]` : param));
        item.append(element("b", "", operation.name), `(${params.join(", ")})`, element("small", "", operation.summary));
        item.addEventListener("mousedown", (event) => {
          event.preventDefault();
          this.accept(k);
        });
        return item;
      }),
    );
    this.offers.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.choose(0);
  }

  choose(k) {
    this.chosen = k;
    [...this.offers.children].forEach((item, n) => item.setAttribute("aria-selected", String(n === k)));
    this.input.setAttribute("aria-activedescendant", `${this.input.id}-offer-${k}`);
  }

  accept(k) {
    const { name } = this.operations[k];
    const at = this.input.selectionStart;
    const start = at - this.prefix.length;
    const rest = this.input.value.slice(at);
    const open = rest.startsWith("(") ? "" : "(";
    this.input.setRangeText(name + open, start, at, "end");
    this.close();
    this.paint();
    this.onChange(this.text());
  }

  close() {
    this.offers.hidden = true;
    this.chosen = -1;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  key(event) {
    const count = this.offers.hidden ? 0 : this.operations.length;
    if (count > 0) {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        const step = event.key === "ArrowDown" ? 1 : count - 1;
        return this.choose((this.chosen + step) % count);
      }
      if (event.key === "Tab" || event.key === "Enter") {
        event.preventDefault();
        return this.accept(this.chosen);
      }
      if (event.key === "Escape") {
        event.stopPropagation();
        return this.close();
      }
    }
    if (event.key === "Enter") event.preventDefault();
    if (event.key === "Escape") this.input.blur();
  }
}
