// Sends runs to the engine's thread, and ends the thread from outside where it hangs.
import { Worker } from "node:worker_threads";
import engineText from "../../../generated/migrate/engine.js";
import pageText from "../../../generated/migrate/page.js";
import wasmText from "../../../generated/migrate/wasm.js";
import type { EngineData } from "./engine.js";
import type { Report, Run } from "./protocol.js";

/** Why scripts were not evaluated to their end. */
export class EngineFailure extends Error {
  declare readonly message: "steps" | "time" | "memory" | "depth" | "size";
}

export interface Engine {
  /** Undefined where the run took too many steps. Ends a native call that counts none after `limitMs`. */
  run(run: Run, limitMs: number): Promise<Report | undefined>;
  close(): Promise<unknown>;
}

/** Starts a thread when it is first needed, and another one after it was ended. */
export function openEngine(signal?: AbortSignal): Engine {
  let worker: Worker | undefined;
  /** The thread keeps the scripts of its last run, which may be long. */
  let sent: Run["scripts"] | undefined;
  const once = async (run: Run, limitMs: number): Promise<Report | undefined> => {
    const own = (worker ??= startWorker());
    own.ref();
    let fail: (error: unknown) => void = () => undefined;
    const failed = () => fail(new EngineFailure("memory"));
    const stopped = () => fail(signal?.reason);
    const timer = setTimeout(() => fail(new EngineFailure("time")), limitMs);
    own.once("error", failed).once("exit", failed);
    signal?.addEventListener("abort", stopped);
    try {
      const text = await new Promise<string>((resolve, reject) => {
        fail = reject;
        own.once("message", resolve);
        own.postMessage(sent === run.scripts ? { ...run, scripts: [] } : run);
        sent = run.scripts;
      });
      return text === "" ? undefined : (JSON.parse(text) as Report);
    } catch (error) {
      worker = sent = undefined;
      await own.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stopped);
      own.off("error", failed).off("exit", failed).unref();
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(run, limitMs) {
      const report = last.then(() => once(run, limitMs));
      last = report.catch(() => undefined);
      return report;
    },
    close: async () => worker?.terminate(),
  };
}

function startWorker(): Worker {
  const bytes = Buffer.from(wasmText, "base64");
  const binary = new Uint8Array(bytes).buffer;
  const data: EngineData = { binary, page: pageText };
  const worker = new Worker(engineText, {
    eval: true,
    workerData: data,
    transferList: [binary],
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
  });
  // An error that no run waits for is reported by the next one.
  return worker.on("error", () => undefined);
}
