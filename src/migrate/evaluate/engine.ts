// Runs in a thread of its own: scripts and a world → what the page told, from a JavaScript engine that nothing leads out of.
import { parentPort, workerData } from "node:worker_threads";
import module from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import type { Run } from "./seam.js";

export interface EngineData {
  readonly binary: ArrayBuffer;
  readonly page: string;
}

/** In pages of 64 KiB. The engine's own limit does not count what array buffers hold. */
const MEMORY = { initial: 256, maximum: 1024 };
const MEMORY_LIMIT = 48 * 1024 * 1024;
/** The engine's own stack lies on that of this thread. */
const STACK = 128 * 1024;
const MOST_JOBS = 10_000;

const { binary, page } = workerData as EngineData;
/** Types of browsers, where it is declared, are not those of this program. */
const { Memory } = (
  globalThis as unknown as { WebAssembly: { Memory: new (limits: typeof MEMORY) => never } }
).WebAssembly;
const engine = newQuickJSWASMModuleFromVariant(
  newVariant(module as unknown as QuickJSSyncVariant, {
    wasmBinary: binary,
    wasmMemory: new Memory(MEMORY),
  }),
);

/** Scripts are handed functions of this realm: they lead neither to its code nor to anything in it that can be changed. */
const HARDEN = `for (const each of [function () {}, function* () {}, async function () {}, async function* () {}])
  delete Object.getPrototypeOf(each).constructor;
const left = Reflect.ownKeys(globalThis).map((name) => globalThis[name]);
const seen = new Set();
for (const each of left) {
  if (Object(each) !== each || seen.has(each) || each === globalThis) continue;
  seen.add(each);
  Object.freeze(each);
  left.push(Reflect.getPrototypeOf(each));
  for (const { value, get, set } of Object.values(Object.getOwnPropertyDescriptors(each))) left.push(value, get, set);
}`;

interface Kept {
  readonly runtime: QuickJSRuntime;
  /** What runs beside the scripts, in a realm of its own. */
  readonly own: QuickJSContext;
}

let kept: Kept | undefined;
let zone = 0;
let scripts: Run["scripts"] = [];

// Nothing else of the machine's time zone is asked for by the engine.
Object.assign(Date.prototype, { getTimezoneOffset: () => zone });

parentPort?.on("message", (run: Run) => {
  void engine.then((module) => {
    zone = run.given.zone;
    kept ??= keep(module.newRuntime({ memoryLimitBytes: MEMORY_LIMIT, maxStackSizeBytes: STACK }));
    if (run.scripts.length > 0) scripts = run.scripts;
    parentPort?.postMessage(runIn(kept, { ...run, scripts }));
  });
});

function keep(runtime: QuickJSRuntime): Kept {
  const own = runtime.newContext();
  own.unwrapResult(own.evalCode(HARDEN, "page.js")).dispose();
  // Called for each world, so that each has a page that remembers nothing.
  own
    .unwrapResult(own.evalCode(`makePage = () => { ${page}; return lintel; }`, "page.js"))
    .dispose();
  return { runtime, own };
}

/** The report as the page wrote it; empty where the world took too long. */
function runIn({ runtime, own }: Kept, { scripts, given, limitMs }: Run): string {
  const begun = Date.now();
  let [steps, isOver] = [0, false];
  // A busy machine takes long over few steps, and no script is to blame for that.
  runtime.setInterruptHandler(() => {
    const tookMs = Date.now() - begun;
    const isLong = ++steps > 2 * limitMs || tookMs > 4 * limitMs;
    return (isOver ||= tookMs > limitMs && isLong);
  });
  const realm = runtime.newContext();
  own.setProp(own.global, "realm", realm.global);
  const call = (text: string, ...given: QuickJSHandle[]): unknown => {
    if (isOver) return undefined;
    const made = own.unwrapResult(own.evalCode(`(${text})`));
    const result = own.callFunction(made, own.undefined, ...given);
    made.dispose();
    if (!isOver) return own.unwrapResult(result).consume((told) => own.dump(told) as unknown);
    result.dispose();
    return undefined;
  };
  const files = JSON.stringify(scripts.map(({ file }) => file));
  call(`() => { lintel = makePage(); lintel.open(realm, ${JSON.stringify(given)}, ${files}); }`);
  // Where no script can come to it: no object holds it, and nobody can guess its name.
  const { hooks } = given;
  const hide = `const ${hooks} = globalThis.${hooks}; delete globalThis.${hooks};`;
  for (const { code, file } of [{ code: hide, file: "hooks.js" }, ...scripts]) {
    const result = realm.evalCode(code, file, { type: "global" });
    if (result.error) call("(error) => lintel.failed(error)", result.error);
    (result.error ?? result.value).dispose();
  }
  const look = () => call("() => lintel.lookNow()");
  look();
  settle(runtime);
  look();
  call("() => lintel.load()");
  while (call("() => lintel.goOn()") === true) settle(runtime);
  look();
  call("() => lintel.callOthers()");
  settle(runtime);
  const told = call("() => lintel.report()");
  const isWhole = !isOver;
  runtime.removeInterruptHandler();
  isOver = false;
  call("() => { lintel = undefined; realm = undefined; }");
  realm.dispose();
  return isWhole ? String(told) : "";
}

/** What a promise's function throws ends up in the promise. */
function settle(runtime: QuickJSRuntime): void {
  runtime.executePendingJobs(MOST_JOBS).dispose();
}
