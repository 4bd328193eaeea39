// Converts a state of format 3 to the keys of today.
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../lib/json.js";
import { isNote, type Entry } from "../state.js";

export function upgraded({ history, earlier, journal, freeze, ...rest }: JsonObject): JsonObject {
  const dropped = earlier !== undefined && isJsonObject(earlier) ? Number(earlier["entries"]) : 0;
  return {
    ...rest,
    ...(freeze !== undefined && { hold: freeze }),
    ...(history !== undefined && isJsonList(history) && { history: entriesOf(history, dropped) }),
    ...(earlier !== undefined && { earlier: without(earlier, "digest") }),
    ...(journal !== undefined && { journal: settledOf(journal) }),
  };
}

/** Entries were chained by digests, and had the serial of the write instead of a number. */
function entriesOf(history: readonly Json[], dropped: number): Json[] {
  let number = dropped;
  return history.map((entry) => {
    if (!isJsonObject(entry)) return entry;
    const { previous: _chain, values: _also, serial: _write, ...rest } = entry;
    const isNumbered = !isNote(rest as unknown as Entry);
    return settledOf({ ...rest, ...(isNumbered && { number: ++number }) });
  });
}

/** A guard only had a reason. */
function settledOf(settled: Json): Json {
  if (!isJsonObject(settled)) return settled;
  const { guards } = settled;
  if (guards === undefined || !isJsonList(guards)) return settled;
  return { ...settled, guards: guards.map((each) => (isJsonObject(each) ? openedOf(each) : each)) };
}

function openedOf({ reason, ...guard }: JsonObject): JsonObject {
  if (typeof reason !== "string") return { ...guard, how: "file" };
  if (reason === "--allow" || reason === "drift: restore") return { ...guard, how: reason };
  const [, window] = /^the window (.+)$/s.exec(reason) ?? [];
  return window === undefined
    ? { ...guard, how: "file", reason }
    : { ...guard, how: "window", reason: window };
}

function without(value: Json, key: string): Json {
  if (!isJsonObject(value)) return value;
  const { [key]: _gone, ...rest } = value;
  return rest;
}
