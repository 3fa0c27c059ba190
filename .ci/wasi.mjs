// Runs a test program that is built for wasm32-wasip1: the runner of cargo for that target.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [file, ...rest] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [file, ...rest], env: process.env, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(file));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
