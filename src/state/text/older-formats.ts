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

/** In format 1 there was one cause for each kind. */
function settledOf(settled: Json): Json {
  if (!isJsonObject(settled)) return settled;
  const { kind, changes } = settled;
  if (changes === undefined || !isJsonList(changes)) return settled;
  const cause = kind === "rollback" ? "rollback" : "file";
  const caused = changes.map((change) => (isJsonObject(change) ? { cause, ...change } : change));
  return { ...settled, changes: caused };
}

function without(value: Json, key: string): Json {
  if (!isJsonObject(value)) return value;
  const { [key]: _gone, ...rest } = value;
  return rest;
}
