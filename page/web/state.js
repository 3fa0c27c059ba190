// The whole state is in the fragment of the address, so that a link shows the same. Short names keep
// links short; what has its default value is left out.

const DEFAULTS = {
  e: "(4,8):(8,1)", // the expression
  t: "f32", // the type of the elements
  c: "", // what gives cells their colours; empty: what suits the layout
  g: "", // what the grid shows: coordinates, with padding or without; empty: what suits the layout
  z: "", // the width of a cell in pixels; empty: fit
  p: "", // the coordinate of the element that is pinned
  w: "", // the layout to compare with
  k: "", // the step of the animation
  a: "", // the layout of threads of the access
  v: "", // elements per access; empty: the longest legal vector
  m: "gpu-shared", // the memory of the access
};

// What a fragment may hold as it is; the others are percent-encoded.
const PLAIN = /[A-Za-z0-9\-._~!$'()*,;:@/?]/;

function encode(text) {
  return Array.from(text, (c) => (PLAIN.test(c) ? c : encodeURIComponent(c))).join("");
}

function toFragment(state) {
  return Object.keys(DEFAULTS)
    .filter((name) => name === "e" || state[name] !== DEFAULTS[name])
    .map((name) => `${name}=${encode(state[name])}`)
    .join("&");
}

function ofFragment(fragment) {
  const state = { ...DEFAULTS };
  for (const field of fragment.replace(/^#/, "").split("&")) {
    const at = field.indexOf("=");
    const name = field.slice(0, at);
    if (at < 0 || !(name in DEFAULTS)) continue;
    try {
      state[name] = decodeURIComponent(field.slice(at + 1));
    } catch {
      // A link that was cut in the middle of a character.
      state[name] = field.slice(at + 1);
    }
  }
  return state;
}

let state = ofFragment(location.hash.length > 1 ? location.hash : START);
const past = [];
const future = [];
let lastEdit = { name: "", time: 0 };
let listener = () => {};

// What changes together while one types is one step back.
const MERGE_MS = 900;

function change(fields, { remember = true } = {}) {
  const names = Object.keys(fields).filter((name) => state[name] !== fields[name]);
  if (names.length === 0) return;
  const now = performance.now();
  const key = names.join();
  const merges = key === lastEdit.name && now - lastEdit.time < MERGE_MS;
  if (remember && !merges) past.push({ ...state });
  if (remember) {
    future.length = 0;
    lastEdit = { name: key, time: now };
  }
  state = { ...state, ...fields };
  publish(names);
}

function publish(names) {
  const fragment = `#${toFragment(state)}`;
  if (location.hash !== fragment) history.replaceState(null, "", fragment);
  listener(names);
}

function travel(from, to) {
  if (from.length === 0) return;
  to.push(state);
  const before = state;
  state = from.pop();
  lastEdit = { name: "", time: 0 };
  publish(Object.keys(DEFAULTS).filter((name) => before[name] !== state[name]));
}

const undo = () => travel(past, future);
const redo = () => travel(future, past);

window.addEventListener("hashchange", () => {
  const next = ofFragment(location.hash);
  const names = Object.keys(DEFAULTS).filter((name) => next[name] !== state[name]);
  if (names.length === 0) return;
  past.push(state);
  future.length = 0;
  state = next;
  publish(names);
});
