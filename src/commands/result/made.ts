// A run's surroundings → when, and from which repository, commit and job, its page was made.
import packageFacts from "../../../package.json" with { type: "json" };
import type { Io } from "../../io.js";
import type { Outcome } from "../../outcome.js";
import type { Made } from "../../report/html-page.js";
import { authorOf } from "../../state/author/author.js";
import { originOf } from "./origin.js";

export async function madeBy(io: Io, { files = [] }: Pick<Outcome, "files">): Promise<Made> {
  // Of several files the first will do: a run is from one repository.
  const first = files.slice(0, 1);
  const { commit, job } = await authorOf(io, first);
  const origin = originOf(io, first);
  return {
    toolVersion: packageFacts.version,
    at: timeOf(io).toISOString(),
    ...(origin && { origin }),
    ...(commit !== undefined && { commit }),
    ...(job !== undefined && { job }),
  };
}

/** SOURCE_DATE_EPOCH, in seconds, is how a build asks for the same bytes again. */
export function timeOf(io: Io): Date {
  const epoch = io.env["SOURCE_DATE_EPOCH"] ?? "";
  if (/^\d{1,11}$/.test(epoch)) return new Date(Number(epoch) * 1000);
  if (epoch !== "") {
    io.stderr.write(
      "warning: SOURCE_DATE_EPOCH is ignored, because it is no whole number of seconds since 1970.\n",
    );
  }
  return new Date(io.now());
}
