// Converts a state of format 1, 2 or 3 to the keys of today.
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../lib/json.js";

export function upgraded({ history, earlier, journal, ...rest }: JsonObject): JsonObject {
  const entries = history !== undefined && isJsonList(history) && history.map(entryOf);
  return {
    ...rest,
    ...(entries && { history: entries }),
    ...(earlier !== undefined && { earlier: without(earlier, "digest") }),
    ...(journal !== undefined && { journal: settledOf(journal) }),
  };
}

/** Formats 2 and 3 chained the entries by digests. */
function entryOf(entry: Json): Json {
  return without(without(settledOf(entry), "previous"), "values");
}

/** In format 1 there was one cause for each kind. Up to format 3 a guard had a reason alone. */
function settledOf(settled: Json): Json {
  if (!isJsonObject(settled)) return settled;
  const cause = settled["kind"] === "rollback" ? "rollback" : "file";
  return {
    ...settled,
    ...eachIn(settled, "changes", (change) => ({ cause, ...change })),
    ...eachIn(settled, "guards", ({ reason, ...guard }) => ({ ...guard, ...howOpened(reason) })),
  };
}

function eachIn(held: JsonObject, key: string, convert: (each: JsonObject) => JsonObject) {
  const list = held[key];
  if (list === undefined || !isJsonList(list)) return {};
  return { [key]: list.map((each) => (isJsonObject(each) ? convert(each) : each)) };
}

function howOpened(reason: Json | undefined): JsonObject {
  if (typeof reason !== "string") return { how: "file" };
  if (reason === "--allow" || reason === "drift: restore") return { how: reason };
  const [, window] = /^the window (.+)$/s.exec(reason) ?? [];
  return window === undefined ? { how: "file", reason } : { how: "window", reason: window };
}

function without(value: Json, key: string): Json {
  if (!isJsonObject(value)) return value;
  const { [key]: _gone, ...rest } = value;
  return rest;
}
