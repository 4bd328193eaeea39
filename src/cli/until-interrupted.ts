// Shared by commands that run until they are interrupted.
import type { Io } from "../io.js";
import type { ParsedArguments } from "../commands/command.js";

/** A program gets one line of JSON with the address. */
export function isForPrograms({ destinations }: Pick<ParsedArguments, "destinations">): boolean {
  return destinations.some(({ format, file }) => format === "json" && file === undefined);
}

export function untilInterrupted({ signal }: Pick<Io, "signal">): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    signal.addEventListener("abort", () => done(), { once: true });
  });
}
