// What a command that does not end tells while it goes on → a line for people, or one of JSON, as the call asks for.
import type { Io } from "../../io.js";
import { jsonLineOf, lineOf } from "../../serve/news/lines.js";
import type { News } from "../../serve/news/news.js";
import type { ParsedArguments } from "../command.js";
import { isForPrograms } from "../../cli/until-interrupted.js";
import { visibleJson } from "../../lib/text.js";

export type Telling = Pick<ParsedArguments, "destinations" | "paint"> & {
  readonly options: { readonly quiet: boolean };
};

export function teller(io: Io, call: Telling): (news: News) => void {
  const isJson = isForPrograms(call);
  return (news) => {
    if (call.options.quiet && !news.isProblem) return;
    const how = { nowMs: io.now(), paint: call.paint };
    if (isJson) io.stdout.write(visibleJson(jsonLineOf(news, how)), "json");
    else io.stdout.write(lineOf(news, how));
  };
}
