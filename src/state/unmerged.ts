// Reads both sides of a state that git left with conflict markers.
import { isJsonList, isJsonObject, parseJson, type Json } from "../lib/json.js";

export interface Side {
  /** The name for `git checkout`. */
  readonly name: "ours" | "theirs";
  readonly serial: number | undefined;
  readonly actor: string | undefined;
  readonly time: string | undefined;
}

const MARKER = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/;

/** Undefined for a text without conflict markers. */
export function sidesOf(text: string): readonly [ours: Side, theirs: Side] | undefined {
  const lines = text.split(/\r?\n/);
  if (!lines.some((line) => line.startsWith("<<<<<<<") && MARKER.test(line))) return undefined;
  const ours: string[] = [];
  const theirs: string[] = [];
  let within: "both" | "ours" | "base" | "theirs" = "both";
  for (const line of lines) {
    if (MARKER.test(line)) {
      const next = { "<": "ours", "|": "base", "=": "theirs", ">": "both" } as const;
      within = next[line[0] as keyof typeof next];
      continue;
    }
    if (within === "both" || within === "ours") ours.push(line);
    if (within === "both" || within === "theirs") theirs.push(line);
  }
  return [sideOf("ours", ours.join("\n")), sideOf("theirs", theirs.join("\n"))];
}

/** Read leniently, because lines that git merged are on both sides, so neither matches its digest. */
function sideOf(name: Side["name"], text: string): Side {
  const json = parseJson(text);
  const held = isJsonObject(json) ? json : {};
  const history = held["history"];
  const last = isJsonList(history) ? history.at(-1) : undefined;
  const entry = isJsonObject(last) ? last : {};
  const by = entry["by"];
  const actor = isJsonObject(by) ? by["actor"] : undefined;
  const [, written] = /^ {2}"serial": (\d{1,15}),?$/m.exec(text) ?? [];
  const serial =
    typeof held["serial"] === "number" ? held["serial"] : Number(written ?? Number.NaN);
  return {
    name,
    serial: Number.isSafeInteger(serial) ? serial : undefined,
    actor: textOf(actor),
    time: textOf(entry["time"]),
  };
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
