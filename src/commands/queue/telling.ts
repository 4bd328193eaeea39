// What a command that does not end tells while it goes on → a line for people, or one of JSON, as the call asks for.
import type { Io } from "../../io.js";
import { jsonLineOf, lineOf } from "../../serve/news/lines.js";
import type { News } from "../../serve/news/news.js";
import type { ParsedArguments } from "../command.js";
import { isForPrograms } from "../call/server.js";

export type Telling = Pick<ParsedArguments, "destinations" | "paint"> & {
  readonly options: { readonly quiet: boolean };
};

export function teller(io: Io, call: Telling): (news: News) => void {
  const [lines, syntax] = isForPrograms(call)
    ? ([jsonLineOf, "json"] as const)
    : ([lineOf, "text"] as const);
  return (news) => {
    if (call.options.quiet && !news.isProblem) return;
    io.stdout.write(lines(news, { nowMs: io.now(), paint: call.paint }), syntax);
  };
}
