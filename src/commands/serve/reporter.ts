// Prints the events of `serve` and of workers as lines of text, or of JSON.
import type { Io } from "../../io.js";
import { jsonLineOf, textLineOf, type LogEvent } from "../../serve/events/event.js";
import type { ParsedArguments } from "../command.js";
import { isForPrograms } from "../../cli/until-interrupted.js";
import { visibleJson } from "../../lib/text.js";

export type ReporterArguments = Pick<ParsedArguments, "destinations" | "styles"> & {
  readonly options: { readonly quiet: boolean };
};

export function openReporter(io: Io, call: ReporterArguments): (event: LogEvent) => void {
  const isJson = isForPrograms(call);
  return (event) => {
    if (call.options.quiet && !event.isProblem) return;
    const how = { nowMs: io.now(), styles: call.styles };
    if (isJson) io.stdout.write(visibleJson(jsonLineOf(event, how)), "json");
    else io.stdout.write(textLineOf(event, how));
  };
}
