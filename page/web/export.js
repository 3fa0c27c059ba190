// What can be taken along: a picture, data, a program, a link.

const FORMATS = {
  svg: { title: "SVG", type: "image/svg+xml" },
  tikz: { title: "TikZ", type: "text/x-tex", ending: "tex" },
  html: { title: "HTML", type: "text/html" },
  text: { title: "Text", type: "text/plain", ending: "txt" },
  json: { title: "JSON", type: "application/json" },
  rust: { title: "Rust", type: "text/plain", ending: "rs" },
};

let toastTimer = 0;

function toast(text) {
  const box = $("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (box.hidden = true), 2600);
}

async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Where there is no permission, or no clipboard for a file.
    const area = element("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    if (!copied) return toast("The browser does not allow copying");
  }
  toast(`Copied ${what}`);
}

let exported = { format: "", text: "" };

async function chooseFormat(format) {
  for (const button of document.querySelectorAll(".formats button")) {
    button.setAttribute("aria-checked", String(button.dataset.format === format));
  }
  const answer = await ask({
    op: "export", format, text: state.e, dtype: state.t, color: state.c, view: state.g, memory: state.m, threads: state.a,
  });
  const right = !answer.errors;
  exported = { format, text: right ? answer.file : "" };
  $("exported").textContent = right ? answer.file.slice(0, 60000) : answer.errors.map((error) => error.message).join("\n");
  $("exported").dataset.format = format;
  $("export-copy").disabled = $("export-download").disabled = !right;
}

function openExport() {
  $("export").showModal();
  chooseFormat(exported.format);
}

function download() {
  const { format: name, text } = exported;
  const format = FORMATS[name];
  const link = element("a");
  link.href = URL.createObjectURL(new Blob([text], { type: format.type }));
  link.download = `layout.${format.ending ?? name}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  toast(`Saved ${link.download}`);
}

function buildExport(names) {
  exported.format = names[0];
  document.querySelector(".formats").replaceChildren(
    ...names.map((name) => {
      const button = element("button", "", FORMATS[name].title);
      button.type = "button";
      button.dataset.format = name;
      button.setAttribute("role", "radio");
      button.addEventListener("click", () => chooseFormat(name));
      return button;
    }),
  );
  $("export-copy").addEventListener("click", () => copyText(exported.text, FORMATS[exported.format].title));
  $("export-download").addEventListener("click", download);
}
