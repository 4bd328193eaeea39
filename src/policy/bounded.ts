// Work that a policy's schemas ask for → its result, within a time: an expression that tries without end must not hang a run.
import { createContext, Script, type Context } from "node:vm";

/** A thousand times what a policy takes. */
export const LONGEST_MS = 1000;

/** Why a policy could not be asked. */
export class Unjudged extends Error {
  override name = "Unjudged";
}

let context: (Context & { work: () => unknown }) | undefined;
let script: Script | undefined;

/**
 * Node ends a script that takes too long, in the midst of an expression, too. The work itself runs in our own world:
 * this is no sandbox, and needs none, because a schema is data.
 */
export function bounded<T>(work: () => T, longestMs = LONGEST_MS): T {
  context ??= createContext({ work }) as Context & { work: () => unknown };
  script ??= new Script("work()");
  context.work = work;
  try {
    return script.runInContext(context, { timeout: longestMs }) as T;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
      throw new Unjudged(`it takes longer than ${longestMs} ms`);
    }
    // A schema that refers to itself without end.
    if (error instanceof RangeError) throw new Unjudged("its schema leads in a circle");
    throw error;
  }
}
