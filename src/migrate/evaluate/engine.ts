// Runs scripts of one page in QuickJS, compiled to WebAssembly, inside a worker thread.
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
import type { Run } from "./protocol.js";

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
/** Of the configuration, in one run. */
const MOST_LOOKS = 30;

const { binary, page } = workerData as EngineData;
/** The types of browsers declare it, and this program has none of those. */
const { Memory } = (
  globalThis as unknown as { WebAssembly: { Memory: new (limits: typeof MEMORY) => never } }
).WebAssembly;
const engine = newQuickJSWASMModuleFromVariant(
  newVariant(module as unknown as QuickJSSyncVariant, {
    wasmBinary: binary,
    wasmMemory: new Memory(MEMORY),
  }),
);

/** Scripts receive functions of this realm: they lead neither to its code nor to anything that can be changed. */
const HARDEN = `for (const each of [function () {}, function* () {}, async function () {}, async function* () {}])
  delete Object.getPrototypeOf(each).constructor;
// It would print functions of the scripts with their hooks.
delete Object.getPrototypeOf(() => 0).toString;
const left = Reflect.ownKeys(globalThis).map((name) => globalThis[name]);
const seen = new Set();
for (const each of left) {
  if (Object(each) !== each || seen.has(each) || each === globalThis) continue;
  seen.add(each);
  Object.freeze(each);
  left.push(Reflect.getPrototypeOf(each));
  for (const { value, get, set } of Object.values(Object.getOwnPropertyDescriptors(each))) left.push(value, get, set);
}`;

interface Realms {
  readonly runtime: QuickJSRuntime;
  /** Runs the page's own code, apart from the scripts. */
  readonly own: QuickJSContext;
}

let realms: Realms | undefined;
let zone = 0;
let scripts: Run["scripts"] = [];

// The engine asks for nothing else of the machine's time zone.
Object.assign(Date.prototype, { getTimezoneOffset: () => zone });

parentPort?.on("message", (run: Run) => {
  void engine.then((module) => {
    zone = run.given.zone;
    realms ??= openRealms(
      module.newRuntime({ memoryLimitBytes: MEMORY_LIMIT, maxStackSizeBytes: STACK }),
    );
    if (run.scripts.length > 0) scripts = run.scripts;
    parentPort?.postMessage(runIn(realms, { ...run, scripts }));
  });
});

function openRealms(runtime: QuickJSRuntime): Realms {
  const own = runtime.newContext();
  own.unwrapResult(own.evalCode(HARDEN, "page.js")).dispose();
  // Called for each run, so that no page remembers another.
  own
    .unwrapResult(own.evalCode(`makePage = () => { ${page}; return lintel; }`, "page.js"))
    .dispose();
  return { runtime, own };
}

/** The report as JSON; empty where the run took more steps than it may. */
function runIn({ runtime, own }: Realms, { scripts, given, steps }: Run): string {
  let [taken, isOver] = [0, false];
  runtime.setInterruptHandler(() => (isOver ||= ++taken > steps));
  const realm = runtime.newContext();
  own.setProp(own.global, "realm", realm.global);
  const call = (text: string, ...given: QuickJSHandle[]): unknown => {
    if (isOver) return undefined;
    const made = own.unwrapResult(own.evalCode(`(${text})`));
    const result = own.callFunction(made, own.undefined, ...given);
    made.dispose();
    if (!isOver) return own.unwrapResult(result).consume((value) => own.dump(value) as unknown);
    result.dispose();
    return undefined;
  };
  const files = JSON.stringify(scripts.map(({ file }) => file));
  call(`() => { lintel = makePage(); lintel.open(realm, ${JSON.stringify(given)}, ${files}); }`);
  // Out of the scripts' reach: no object holds it, and its name cannot be guessed.
  const { hooks } = given;
  const hide = `const ${hooks} = globalThis.${hooks}; delete globalThis.${hooks};`;
  for (const { code, file } of [{ code: hide, file: "hooks.js" }, ...scripts]) {
    const result = realm.evalCode(code, file, { type: "global" });
    if (result.error) call("(error) => lintel.failed(error)", result.error);
    (result.error ?? result.value).dispose();
  }
  const look = () => call("() => lintel.look()");
  look();
  if (runJobs(runtime)) look();
  call("() => lintel.load()");
  let ran = 0;
  while (call("() => lintel.runNext()") === true) {
    runJobs(runtime);
    // In another order, each of them may be the last.
    if (++ran < MOST_LOOKS) look();
  }
  if (ran >= MOST_LOOKS) look();
  const report = call("() => lintel.report()");
  const isWhole = !isOver;
  runtime.removeInterruptHandler();
  isOver = false;
  call("() => { lintel = undefined; realm = undefined; }");
  realm.dispose();
  return isWhole ? `{"steps":${taken},${String(report).slice(1)}` : "";
}

/** False where there are none. What a promise's function throws ends up in the promise. */
function runJobs(runtime: QuickJSRuntime): boolean {
  if (!runtime.hasPendingJob()) return false;
  runtime.executePendingJobs(MOST_JOBS).dispose();
  return true;
}
