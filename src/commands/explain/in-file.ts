// Settings and a file → which file and line gives each its value, and what that overrode.
import { checkFile } from "../../document/check/check-file.js";
import { pathsOf, type Setting } from "../../catalog/catalog.js";
import { hasErrors, type Place } from "../../diagnostic.js";
import { placeOf } from "../../document/read/source.js";
import { entryAt, writtenText, type Entry } from "../../document/read/tree.js";
import type { Io } from "../../io.js";
import { type Paint } from "../../report/text/paint.js";
import { visible } from "../../text.js";
import type { Result } from "../command.js";
import { factsOf, singleText } from "./explain.js";
import { checkResult, done, placeJson } from "../result/result.js";

export async function explainInFile(
  file: string,
  settings: readonly Setting[],
  io: Io,
): Promise<Result> {
  const { root, diagnostics } = await checkFile(file, io, { mayLackPortal: true });
  if (!root || hasErrors(diagnostics)) return checkResult("explain", [file], diagnostics);
  const found = settings.map((setting) => {
    const entry = pathsOf(setting)
      .map((path) => entryAt(root, ["settings", ...path]))
      .find((each) => each !== undefined);
    return { setting, said: entry ? chainOf(entry) : [] };
  });
  const facts = found.map(({ setting, said }) => ({
    ...factsOf(setting),
    inFile: said.map(({ text, place }) => ({ value: text, ...placeJson(place) })),
  }));
  const textOf = ({ setting, said }: (typeof found)[number], paint: Paint) => {
    const reference = found.length === 1 ? `${singleText(setting, paint)}\n` : "";
    return reference + saidText(setting.path, file, said, paint);
  };
  return done("explain", { settings: facts }, (paint) =>
    found.map((each) => textOf(each, paint)).join("\n"),
  );
}

interface Said {
  /** As the file writes it. */
  readonly text: string;
  readonly place: Place;
}

function chainOf(entry: Entry): Said[] {
  const here = { text: writtenText(entry.value), place: placeOf(entry.value.span) };
  return [here, ...(entry.below ? chainOf(entry.below) : [])];
}

function saidText(path: string, file: string, said: readonly Said[], paint: Paint): string {
  if (said.length === 0) return `${paint.bold(path)} is not managed by ${visible(file)}.\n`;
  const lines = said.map(({ text, place }, at) => {
    const word = at === 0 ? "value" : "overrode";
    const where = `${place.file}:${place.line}:${place.column}`;
    return `  ${paint.dim(word.padEnd(13))}${visible(where)}  ${visible(text).split("\n")[0]}`;
  });
  return `${paint.bold(path)} in ${visible(file)}\n${lines.join("\n")}\n`;
}
