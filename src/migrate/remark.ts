// Noun of this room: what a person should know of an old file; and a value that is read → what to know of it all the same.
import { stockValues } from "../catalog/catalog.js";
import type { Property } from "../catalog/facts.js";
import type { DiagnosticCode } from "../diagnostic.js";
import { isJsonList, isJsonObject, type Json } from "../lib/json.js";
import { shown } from "./cause.js";
import type { Stretch } from "./script.js";

export interface Remark {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly help: string;
  /** The property's own place, or the file as a whole, when left out. */
  readonly at?: Stretch | undefined;
  readonly related?: { readonly at: Stretch; readonly message: string } | undefined;
}

/** What to look for in a value's texts, beside those that portals were shipped with: what is said, and what to do. */
const LOOKS: readonly {
  readonly code: DiagnosticCode;
  readonly help: string;
  readonly holds: (texts: readonly string[], stock: readonly string[]) => readonly string[];
}[] = [
  {
    code: "placeholder",
    help: "Older portals put a translation in its place. Check that yours does, or write the text out.",
    holds: (texts) =>
      quoted(texts, /\$\{[^}]*\}/).map((each) => `a placeholder, which stays as it is: ${each}`),
  },
  {
    code: "mailto",
    help: 'Write the bare address unless the portal\'s link works: "mailto:" may come out twice.',
    holds: (texts) =>
      quoted(texts, /^mailto:/i).map((each) => `"mailto:" before a mail address: ${each}`),
  },
  {
    code: "unlike-shipped",
    help: "Titles and addresses count to the letter. Write it as shipped unless the difference is meant.",
    // An editor that lower-cased everything leaves texts that differ by that alone.
    holds: (texts, stock) =>
      texts
        .flatMap((found) => {
          const shipped = stock.find((each) => each.toLowerCase() === found.toLowerCase());
          if (shipped === undefined || stock.includes(found)) return [];
          return `${JSON.stringify(found)}, where portals were shipped with ${JSON.stringify(shipped)}`;
        })
        .slice(0, 3),
  },
];

/** `name` is the property's own in the file, which may spell it otherwise than the reference. */
export function remarksOn(name: string, property: Property, value: Json): Remark[] {
  const [texts, stock] = [textsIn(value), stockValues(property).flatMap(textsIn)];
  return LOOKS.flatMap(({ code, help, holds }) =>
    holds(texts, stock).map((each) => ({ code, message: `"${name}" holds ${each}.`, help })),
  );
}

/** That the value is the one over https. */
export function assumed(name: string, https: string, http: string | undefined): Remark {
  const [one, other] = [shown(http, LONGEST), shown(https, LONGEST)];
  return {
    code: "address-scheme",
    message:
      one !== undefined && other !== undefined
        ? `"${name}" is ${one} where the page is loaded over http, and ${other} over https.`
        : `"${name}" depends on the protocol that the page is loaded with.`,
    help: "From 11.0 on only https counts, so that is taken. Check it, or say where the portal is with --portal-url.",
  };
}

/** Of an address, which is what mostly differs. */
const LONGEST = 100;

/** The first of them. */
function quoted(texts: readonly string[], pattern: RegExp): string[] {
  const found = texts.find((each) => pattern.test(each));
  return found === undefined ? [] : [JSON.stringify(found.slice(0, 60))];
}

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (isJsonList(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
