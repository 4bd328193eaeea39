// Explains which file and line gives a setting its value, and what that overrode.
import { zoneOfFiles } from "../../cli/run-zone.js";
import { checkFile } from "../../document/check/check-file.js";
import { pathsOf, type Setting } from "../../catalog/catalog.js";
import { hasErrors, type Place, type Related } from "../../diagnostic.js";
import { placeOf } from "../../document/read/source.js";
import { entryAt, writtenText, type Entry } from "../../document/read/tree.js";
import { isOpenAt, windowsAround, type Window } from "../../document/schedule/windows.js";
import { isoTime } from "../../schedule.js";
import { formatSpot } from "../../settings.js";
import type { Io } from "../../io.js";
import type { KeyDocument, SettingDocument } from "../documents.js";
import type { Styles } from "../../report/styles.js";
import { oneLine, visible } from "../../lib/text.js";
import type { Result } from "../command.js";
import { factsOf, singleText } from "./explain.js";
import { checkResult, done, placeJson } from "../../cli/result.js";

/** What a file may say somewhere. */
export interface Sayable<Facts = SettingDocument | KeyDocument> {
  readonly path: string;
  /** Where it may stand, with each spelling. */
  readonly places: readonly (readonly string[])[];
  readonly facts: Facts;
  readonly text: (styles: Styles) => string;
}

export function sayable(setting: Setting): Sayable<SettingDocument> {
  return {
    path: setting.path,
    places: pathsOf(setting).map((path) => ["settings", ...path]),
    facts: factsOf(setting),
    text: (styles) => singleText(setting, styles),
  };
}

/** `name` is what the JSON document calls them. */
export async function explainInFile(
  file: string,
  name: "settings" | "keys",
  sayables: readonly Sayable[],
  io: Io,
): Promise<Result> {
  const { root, diagnostics } = await checkFile(file, io, { mayLackPortal: true });
  if (!root || hasErrors(diagnostics)) return checkResult("explain", [file], diagnostics);
  const nowMs = io.now();
  const zone = zoneOfFiles([file], io);
  const windows = windowsAround(root, nowMs).filter(({ untilMs }) => untilMs > nowMs);
  const found = sayables.map((each) => {
    const entry = each.places
      .map((path) => entryAt(root, path))
      .find((known) => known !== undefined);
    const inWindows = windowsWith(windows, each.places).map((said) => ({
      ...said,
      isOpen: isOpenAt(said.window, nowMs),
    }));
    return { ...each, said: entry ? chainOf(entry) : [], inWindows };
  });
  const told = found.map(({ facts, said, inWindows }) => ({
    ...facts,
    inFile: said.map(({ text, place }) => ({ value: text, ...placeJson(place) })),
    inWindows: inWindows.map(({ window, isOpen, text, place }) => ({
      window: window.name,
      from: isoTime(window.fromMs),
      until: isoTime(window.untilMs),
      isOpen,
      value: text,
      ...placeJson(place),
    })),
  }));
  const textOf = ({ path, text, said, inWindows }: (typeof found)[number], styles: Styles) => {
    const reference = found.length === 1 ? `${text(styles)}\n` : "";
    return reference + saidText(path, file, said, styles) + windowsText(inWindows, styles.in(zone));
  };
  return done("explain", { [name]: told }, (styles) =>
    found.map((each) => textOf(each, styles)).join("\n"),
  );
}

interface Said {
  /** As the file writes it. */
  readonly text: string;
  readonly place: Place;
  /** Where the value came through on its way. */
  readonly through: readonly Related[];
}

function chainOf(entry: Entry): Said[] {
  const { span, via } = entry.value;
  const through = via.map((each) => ({ place: placeOf(each.span), message: each.message }));
  const here = { text: writtenText(entry.value), place: placeOf(span), through };
  return [here, ...(entry.below ? chainOf(entry.below) : [])];
}

interface InWindow extends Said {
  readonly window: Window;
  readonly isOpen: boolean;
}

/** By when they open; those that are over count no more. */
function windowsWith(
  windows: readonly Window[],
  places: Sayable["places"],
): Omit<InWindow, "isOpen">[] {
  return windows
    .toSorted((one, other) => one.fromMs - other.fromMs)
    .flatMap((window) => {
      const { settings } = window;
      const entry = places
        .map((path) => settings && path[0] === "settings" && entryAt(settings, path.slice(1)))
        .find((known) => typeof known === "object");
      return entry
        ? chainOf(entry)
            .slice(0, 1)
            .map((said) => ({ window, ...said }))
        : [];
    });
}

function windowsText(inWindows: readonly InWindow[], styles: Styles): string {
  return inWindows
    .map(({ window: { name, fromMs, untilMs }, isOpen, text, place }) => {
      const time = (ms: number) => styles.time(isoTime(ms));
      const when = isOpen ? `open until ${time(untilMs)}` : `from ${time(fromMs)}`;
      const where = `${place.file}:${place.line}:${place.column}`;
      const word = styles.dim((isOpen ? "now" : "later").padEnd(13));
      const value = visible(text).split("\n")[0];
      return `  ${word}${visible(where)}  ${value}  window ${oneLine(name)}, ${when}\n`;
    })
    .join("");
}

function saidText(path: string, file: string, said: readonly Said[], styles: Styles): string {
  if (said.length === 0) return `${styles.bold(path)} is not set by ${visible(file)}.\n`;
  const line = (word: string, place: Place, text: string) =>
    `  ${styles.dim(word.padEnd(13))}${visible(formatSpot(place))}  ${visible(text).split("\n")[0]}`;
  const lines = said.flatMap(({ text, place, through }, at) => [
    line(at === 0 ? "value" : "overrode", place, text),
    ...through.map((each) => line("", each.place, each.message)),
  ]);
  return `${styles.bold(path)} in ${visible(file)}\n${lines.join("\n")}\n`;
}
