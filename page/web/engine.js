// The engine: WebAssembly in this file, or the server of `layout explore`. One function answers
// everything: `ask(request) -> Promise(answer)`, both plain objects.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function instantiate() {
  const bytes = Uint8Array.from(atob(ENGINE.wasm), (c) => c.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const { memory, reserve, call, answer_len } = instance.exports;
  return (request) => {
    const text = encoder.encode(JSON.stringify(request));
    // Memory that grows has another buffer, so that the buffer is asked for last.
    const room = reserve(text.length) >>> 0;
    new Uint8Array(memory.buffer, room, text.length).set(text);
    const start = call() >>> 0;
    const length = answer_len();
    return JSON.parse(decoder.decode(new Uint8Array(memory.buffer, start, length)));
  };
}

async function askServer(request) {
  const answer = await fetch("/call", {
    method: "POST",
    headers: { "content-type": "application/json", "x-layout-token": ENGINE.token },
    body: JSON.stringify(request),
  });
  if (!answer.ok) throw new Error(`the server says ${answer.status}`);
  return answer.json();
}

let instance;

async function ask(request) {
  try {
    if (!ENGINE.wasm) return await askServer(request);
    instance ??= instantiate();
    return (await instance)(request);
  } catch (error) {
    // A module that stopped is in no known state: the next request has a new one.
    instance = undefined;
    const message = ENGINE.wasm
      ? `the engine stopped: ${error.message}`
      : `the engine does not answer (is \`layout explore\` still running?): ${error.message}`;
    return { schema: 1, errors: [{ code: "engine", message, help: "" }] };
  }
}
