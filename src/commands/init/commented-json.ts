// Reads JSON with comments, and adds members without changing any other byte.
import { isJsonObject, parseJson, type JsonObject } from "../../lib/json.js";

/** An unterminated token ends with its line or the text, so that scanning stays linear. */
const TOKENS = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|,(?=\s*[}\]])/g;

/** Undefined if it is not an object. */
export function readCommented(text: string): JsonObject | undefined {
  const found = parseJson(withoutLastCommas(withoutComments(text)));
  return isJsonObject(found) ? found : undefined;
}

/** Below the last member of an object, in a text that `readCommented` takes. */
export function withMembers(text: string, members: JsonObject): string {
  const clear = withoutComments(text);
  const end = clear.lastIndexOf("}");
  const last = clear.slice(0, end).trimEnd().length;
  const comma = /[{,]/.test(clear.charAt(last - 1)) ? "" : ",";
  const [, indent = "  "] = /\n([ \t]+)"/.exec(clear) ?? [];
  const [newline = "\n"] = /\r?\n/.exec(text) ?? [];
  const added = JSON.stringify(members, null, indent).slice(1, -1).trimEnd();
  const between = text.slice(last, end).trimEnd();
  return `${text.slice(0, last)}${comma}${between}${added.replaceAll("\n", newline)}${newline}${text.slice(end)}`;
}

/** Replaces comments with blanks, so that offsets stay the same. */
function withoutComments(text: string): string {
  return text
    .replace(TOKENS, (token) => (/^\/(?:\/|\*.*\*\/$)/s.test(token) ? blank(token) : token))
    .replace(/^\ufeff/, " ");
}

function withoutLastCommas(clear: string): string {
  return clear.replace(TOKENS, (token) => (token === "," ? " " : token));
}

function blank(token: string): string {
  return token.replace(/[^\n]/g, " ");
}
