// Runs for the sealed engine → what each told; the thread it lives in is ended from outside when it takes too long.
import { Worker } from "node:worker_threads";
import engineText from "../../../generated/migrate/engine.js";
import pageText from "../../../generated/migrate/page.js";
import wasmText from "../../../generated/migrate/wasm.js";
import type { EngineData } from "./engine.js";
import type { Report, Run } from "./seam.js";

/** For all worlds of a file together. */
const LONGEST_MS = 8_000;

/** Why scripts were not evaluated to their end. */
export class EngineFailure extends Error {
  declare readonly message: "time" | "memory" | "depth" | "size";
}

export interface Engine {
  /** Undefined where the world took too long; all runs together must end in time. */
  run(run: Run, begun: number): Promise<Report | undefined>;
  close(): Promise<unknown>;
}

/** Made when it is needed, and made anew when it was ended. */
export function openEngine(): Engine {
  let worker: Worker | undefined;
  /** It keeps the scripts of its last run, which may be long. */
  let sent: Run["scripts"] | undefined;
  const once = async (asked: Run, begun: number): Promise<Report | undefined> => {
    const own = (worker ??= startWorker());
    own.ref();
    const left = begun + LONGEST_MS - performance.now();
    let fail: (why: EngineFailure["message"]) => void = () => undefined;
    const failed = () => fail("memory");
    const timer = setTimeout(() => fail("time"), Math.max(0, left));
    own.once("error", failed).once("exit", failed);
    try {
      const text = await new Promise<string>((resolve, reject) => {
        fail = (why) => reject(new EngineFailure(why));
        own.once("message", resolve);
        own.postMessage(sent === asked.scripts ? { ...asked, scripts: [] } : asked);
        sent = asked.scripts;
      });
      return text === "" ? undefined : (JSON.parse(text) as Report);
    } catch (error) {
      worker = sent = undefined;
      await own.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
      own.off("error", failed).off("exit", failed).unref();
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(asked, begun) {
      const run = last.then(() => once(asked, begun));
      last = run.catch(() => undefined);
      return run;
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
  // What is not waited for is told by the next run.
  return worker.on("error", () => undefined);
}
