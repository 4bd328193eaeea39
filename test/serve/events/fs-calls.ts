// Acts before, within or after one call to the file system in this process.
import { createRequire, syncBuiltinESMExports } from "node:module";

const NAMES = [
  "openSync",
  "readFileSync",
  "writeFileSync",
  "fsyncSync",
  "fdatasyncSync",
  "ftruncateSync",
  "fchmodSync",
  "renameSync",
  "linkSync",
  "unlinkSync",
  "rmSync",
  "mkdirSync",
  "readdirSync",
  "lstatSync",
] as const;

type Call = (...args: unknown[]) => unknown;

const files = createRequire(import.meta.url)("node:fs") as Record<string, Call>;
const originals = new Map(NAMES.map((name) => [name, files[name] as Call]));

/** Until `restore`, passes each call to `around`, which may make it, and may throw. */
export function interceptCalls(around: (name: string, args: unknown[], own: Call) => unknown) {
  for (const [name, own] of originals) files[name] = (...args) => around(name, args, own);
  syncBuiltinESMExports();
}

export function restoreCalls(): void {
  for (const [name, own] of originals) files[name] = own;
  syncBuiltinESMExports();
}

export class Killed extends Error {}

/** How often calls are made, or the number of the one at which the process dies: nothing works from then on. */
export async function killedAt(
  call: number,
  when: "before" | "within" | "after",
  action: () => Promise<void>,
): Promise<number> {
  let calls = 0;
  interceptCalls((name, args, own) => {
    calls++;
    if (calls > call) throw new Killed();
    if (calls < call) return own(...args);
    const [of, text] = args;
    if (when === "within" && name === "writeFileSync") own(of, String(text).slice(0, -9));
    if (when === "after") own(...args);
    throw new Killed();
  });
  try {
    await action();
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  } finally {
    restoreCalls();
  }
  return calls;
}
