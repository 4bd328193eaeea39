// A run's surroundings → when and from which commit and job its page was made.
import packageFacts from "../../package.json" with { type: "json" };
import type { Io } from "../io.js";
import type { Outcome } from "../outcome.js";
import type { Made } from "../report/html-page.js";
import { authorOf } from "../state/author.js";

export async function madeBy(io: Io, { files = [] }: Pick<Outcome, "files">): Promise<Made> {
  // Of several files the first will do: a run is from one repository.
  const { commit, job } = await authorOf(io, files.slice(0, 1));
  return {
    toolVersion: packageFacts.version,
    at: new Date(timeOf(io)).toISOString(),
    ...(commit !== undefined && { commit }),
    ...(job !== undefined && { job }),
  };
}

/** SOURCE_DATE_EPOCH, in seconds, is how a build asks for the same bytes again. */
function timeOf(io: Io): number {
  const epoch = io.env["SOURCE_DATE_EPOCH"] ?? "";
  return /^\d{1,11}$/.test(epoch) ? Number(epoch) * 1000 : io.now();
}
