// Settings → the form that updates them: one field a parameter, in the order of the reference.
import { exactText, type JsonObject } from "../json.js";
import { encodeForm } from "../request.js";
import { catalog } from "./catalog.js";

/** The parameters in the order of the reference, then any others, each whole as JSON text. */
export function updateFields(settings: JsonObject): readonly (readonly [string, string])[] {
  const listed = catalog.parameters.map((each) => each.name).filter((name) => name in settings);
  const others = Object.keys(settings).filter((name) => !listed.includes(name));
  return [
    ...[...listed, ...others].map((name) => [name, exactText(settings[name] ?? null)] as const),
    ["f", "json"],
  ];
}

/** The body as it is sent, but for a token that travels in the form. */
export function updateBody(settings: JsonObject): string {
  return encodeForm(updateFields(settings));
}
