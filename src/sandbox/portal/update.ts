// The update operation: checks the caller and the form, stores the settings, or refuses as a portal does.
import {
  catalog,
  isAccepted,
  isIntroduced,
  referenceName,
  spellingsOf,
} from "../../catalog/catalog.js";
import { accepts, VALUE_TYPES, type Parameter, type Property } from "../../catalog/facts.js";
import { isJsonObject, parseJson, type Json, type JsonObject } from "../../lib/json.js";
import type { Switches } from "../options.js";
import { mediaType } from "../incoming.js";
import type { Call } from "../sign-in/portal-token.js";
import { NOT_PERMITTED, refusal, TOKEN_REQUIRED } from "./refusal.js";

export function update({ context, incoming, form, caller }: Call, portal: string): JsonObject {
  if (!caller) return TOKEN_REQUIRED;
  if (!caller.isAdministrator) return NOT_PERMITTED;
  if (mediaType(incoming) !== catalog.update.contentType) {
    return refusal(400, `The Content-Type must be ${catalog.update.contentType}.`);
  }
  const verdict = judge(context.switches, context.memory.stored(portal), form);
  if ("problems" in verdict) {
    return refusal(400, "Unable to update the portal settings.", verdict.problems);
  }
  context.memory.update(portal, verdict.settings);
  return { success: true };
}

/** Parameters of the request that are not settings. */
const CONTROLS = ["f", "token"];

const MOST_FIELDS = 1000;

/** Checks a form against the catalogue: returns the new settings, or everything that is wrong with the form. */
export function judge(switches: Switches, stored: JsonObject, form: URLSearchParams) {
  const problems: string[] = [];
  if (form.size > MOST_FIELDS) return { problems: [`More than ${MOST_FIELDS} fields were sent.`] };
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
      if (switches.unknown === "store") next.set(name, parseJson(text) ?? text);
      continue;
    }
    const value = parseJson(text);
    if (parameter.object === undefined) {
      if (typeof value === "boolean") next.set(name, value);
      else problems.push(`"${name}" must be true or false.`);
    } else if (!isJsonObject(value)) {
      problems.push(`"${name}" must be a JSON object, sent as JSON text.`);
    } else {
      const read = readObject(switches, parameter.object, value, name, problems);
      const before = switches.omittedProperties === "keep" ? stored[name] : undefined;
      next.set(name, { ...(isJsonObject(before) && before), ...read });
    }
  }
  return problems.length > 0 ? { problems } : { settings: Object.fromEntries(next) };
}

/** The parameters that a portal of this version and deployment knows. */
function knownParameters({ version, deployment }: Switches): readonly Parameter[] {
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
    if (!accepts(property, inner)) problems.push(`"${at}" must be ${expectedOf(property)}.`);
    return [[stored, inner]];
  });
  return Object.fromEntries(entries);
}

/** In words, for a value that is of another type. Any colour is accepted, and no document says that an address is checked. */
function expectedOf({ type, values }: Property): string {
  if (typeof type === "object") return "a list of objects";
  return values ? `one of ${values.join(", ")}` : VALUE_TYPES[type].expected;
}
