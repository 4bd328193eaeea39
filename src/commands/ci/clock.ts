// What the job by the clock does: applies what is due, then reports the drift that is left.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { EXIT } from "../../failure.js";
import type { Io } from "../../io.js";
import { rollUp } from "../../outcome.js";
import type { Result } from "../command.js";
import { said } from "./with-platform.js";

/** Handed from the job by the clock to the one that reports. */
const FOLDER = "drift";
export const DRIFT_TEXT = "drift.md";
export const DRIFT_JSON = "drift.json";

/** Drift is reported also where an apply failed: one portal that is held must not hide the drift of the others. */
export async function clock(io: Io, files: readonly string[]): Promise<Result> {
  // Imported late: it imports every command.
  const { call } = await import("../../cli/call.js");
  mkdirSync(resolve(io.cwd, FOLDER), { recursive: true });
  const reports = ["text", `markdown=${FOLDER}/${DRIFT_TEXT}`, `json=${FOLDER}/${DRIFT_JSON}`];
  const applied = await call("apply", ["--due", "schedule,drift", "--yes", "--", ...files], io);
  const words = reports.flatMap((report) => ["--output", report]);
  const looked = await call("drift", [...words, "--", ...files], io);
  const exit = rollUp([applied, looked]);
  const result = said(`The reports about drift are in the folder "${FOLDER}".`);
  return {
    ...result,
    outcome: { ...result.outcome, exit: exit === EXIT.pending ? EXIT.done : exit },
  };
}
