// The menus: examples, explanations of errors, keys.

const KEYS = [
  ["/", "to the expression"],
  ["g", "to the grid"],
  ["m", "to the memory"],
  ["d", "to the layout to compare with"],
  ["a", "to the threads of the access"],
  ["← ↑ → ↓", "move in the grid or in memory; with Shift by a tile; Home and End, Page Up and Page Down between blocks"],
  ["Enter", "pin the cell; in the list of operations, take one"],
  ["Escape", "unpin; leave the expression"],
  ["c", "colour by something else; Shift the other way"],
  ["+ - 0", "larger, smaller, fit"],
  ["p", "play or pause the copy"],
  ["[ ]", "one step back, one step forward"],
  ["Ctrl Z", "undo; with Shift redo"],
  ["e", "examples"],
  ["x", "export"],
  ["l", "copy a link to what is shown"],
  ["t", "light or dark"],
  ["?", "these keys"],
];

function buildMenus() {
  $("examples").querySelector(".body").replaceChildren(
    ...EXAMPLES.map(({ title, examples }) => {
      const section = element("section");
      section.append(element("h3", "", title));
      for (const { name, ...fields } of examples) {
        const button = element("button", "example", name);
        button.type = "button";
        button.append(element("code", "", fields.e));
        button.addEventListener("click", () => {
          $("examples").close();
          const { z: _, ...rest } = DEFAULTS;
          change({ ...rest, t: state.t, ...fields });
        });
        section.append(button);
      }
      return section;
    }),
  );
  const table = element("table");
  for (const [keys, text] of KEYS) {
    const line = element("tr");
    const cell = element("td");
    for (const key of keys.split(" ")) cell.append(element("kbd", "", key), " ");
    line.append(cell, element("td", "", text));
    table.append(line);
  }
  $("help").querySelector(".body").replaceChildren(table);
}

// What an error means, as `layout explain` says it.
async function showEntry(code) {
  const entry = await ask({ op: "entry", code });
  if (entry.errors) return toast(entry.errors[0].message);
  $("entry-title").textContent = `${entry.code}: ${entry.title}`;
  const nodes = [element("p", "", entry.meaning)];
  if (entry.example) {
    nodes.push(element("h3", "", "An expression with this error"), element("pre", "", entry.example));
    const button = element("button", "", "Try it");
    button.type = "button";
    button.addEventListener("click", () => {
      $("entry").close();
      change({ e: entry.example, p: "" });
    });
    nodes.push(button);
  } else if (entry.cause) {
    nodes.push(element("h3", "", "What causes it"), element("pre", "", entry.cause.text), element("p", "", entry.cause.message));
  }
  $("entry").querySelector(".body").replaceChildren(...nodes);
  $("entry").showModal();
}
