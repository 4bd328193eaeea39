// An update's form against the catalogue → the settings as they will be, or everything that is wrong with the form.
import {
  catalog,
  isAccepted,
  isIntroduced,
  referenceName,
  spellingsOf,
} from "../../catalog/catalog.js";
import type { Parameter } from "../../catalog/facts.js";
import { isJsonObject, type Json, type JsonObject } from "../../json.js";
import type { Switches } from "../options.js";
import { mismatch } from "./value.js";

/** Parameters of the request that are no settings. */
const CONTROLS = ["f", "token", "clearEmptyFields"];

const MOST_FIELDS = 1000;

export type Verdict = { readonly settings: JsonObject } | { readonly problems: readonly string[] };

export function judge(switches: Switches, stored: JsonObject, form: URLSearchParams): Verdict {
  const problems: string[] = [];
  if (form.size > MOST_FIELDS) return { problems: [`More than ${MOST_FIELDS} fields were sent.`] };
  const isClearing = form.get("clearEmptyFields") === "true";
  const next = new Map(Object.entries(stored));
  for (const name of new Set(form.keys())) {
    if (form.getAll(name).length > 1) problems.push(`"${name}" was sent more than once.`);
  }
  for (const { name } of knownParameters(switches)) {
    if (switches.omittedParameters === "reset" && !form.get(name)) next.delete(name);
  }
  for (const [name, text] of form) {
    // A browser sends every field of a form, also those left empty.
    if (CONTROLS.includes(name) || text === "") continue;
    const parameter = knownParameters(switches).find((each) => each.name === name);
    if (!parameter) {
      if (switches.unknown === "refuse") problems.push(`"${name}" is not a known parameter.`);
      if (switches.unknown === "store") next.set(name, parse(text) ?? text);
      continue;
    }
    const value = parse(text);
    if (parameter.object === undefined) {
      if (typeof value === "boolean") next.set(name, value);
      else problems.push(`"${name}" must be true or false.`);
    } else if (!isJsonObject(value)) {
      problems.push(`"${name}" must be a JSON object, sent as JSON text.`);
    } else if (isClearing && Object.keys(value).length === 0) {
      next.delete(name);
    } else {
      const read = readObject(switches, parameter.object, value, name, problems);
      const before = switches.omittedProperties === "keep" ? stored[name] : undefined;
      next.set(name, { ...(isJsonObject(before) && before), ...read });
    }
  }
  return problems.length > 0 ? { problems } : { settings: Object.fromEntries(next) };
}

/** The parameters that a portal of this version and deployment has heard of. */
export function knownParameters({ version, deployment }: Switches): readonly Parameter[] {
  return catalog.parameters.filter(
    (each) => isIntroduced(each, version) && isAccepted(each, deployment),
  );
}

/** The properties that are to be stored, spelled as real portals spell them. */
function readObject(
  switches: Switches,
  object: string,
  value: JsonObject,
  path: string,
  problems: string[],
): JsonObject {
  const properties = catalog.objects[object] ?? [];
  const seen = new Set<string>();
  const entries = Object.entries(value).flatMap(([written, inner]): [string, Json][] => {
    const name = referenceName(written);
    const at = `${path}.${written}`;
    const property = properties.find((each) => each.name === name);
    if (!property || !isIntroduced(property, switches.version)) {
      if (switches.unknown === "refuse") problems.push(`"${at}" is not a known property.`);
      return switches.unknown === "store" ? [[written, inner]] : [];
    }
    if (seen.has(name)) problems.push(`"${at}" is the second spelling of one property.`);
    seen.add(name);
    const stored = spellingsOf(name).at(-1) ?? name;
    const { type } = property;
    if (typeof type === "object" && Array.isArray(inner) && inner.every(isJsonObject)) {
      const entry = (each: JsonObject, index: number) =>
        readObject(switches, type.arrayOf, each, `${at}[${index}]`, problems);
      return [[stored, inner.map(entry)]];
    }
    const expected = mismatch(property, inner);
    if (expected !== undefined) problems.push(`"${at}" must be ${expected}.`);
    return [[stored, inner]];
  });
  return Object.fromEntries(entries);
}

/** undefined for a text that is no JSON, which no JSON is. */
function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
