// What to check in a value that is migrated: placeholders, mail links, texts unlike the shipped ones, the protocol.
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

export function remarksOn(name: string, property: Property, value: Json): Remark[] {
  const texts = textsIn(value);
  const stock = stockValues(property).flatMap(textsIn);
  const shippedAs = (text: string) =>
    stock.includes(text)
      ? undefined
      : stock.find((each) => each.toLowerCase() === text.toLowerCase());
  const placeholder = texts.find((text) => /\$\{[^}]*\}/.test(text));
  const mailto = texts.find((text) => /^mailto:/i.test(text));
  const unlike = texts.find((text) => shippedAs(text) !== undefined);
  const remarks: Remark[] = [];
  if (placeholder !== undefined) {
    remarks.push({
      code: "placeholder",
      message: `"${name}" holds a placeholder: ${quoted(placeholder)}.`,
      help: "Older portals replaced it with a translation. Check that yours does, or write the text out.",
    });
  }
  if (mailto !== undefined) {
    remarks.push({
      code: "mailto",
      message: `"${name}" holds "mailto:" before a mail address: ${quoted(mailto)}.`,
      help: "Write the address alone unless the portal's link works: the portal may add a second mailto:.",
    });
  }
  if (unlike !== undefined) {
    remarks.push({
      code: "unlike-shipped",
      message: `"${name}" holds ${quoted(unlike)}; portals were shipped with ${quoted(shippedAs(unlike) ?? "")}.`,
      help: "Titles and addresses are case-sensitive. Write it as shipped unless the difference is intended.",
    });
  }
  return remarks;
}

/** For a value that differs between http and https. */
export function schemeRemark(name: string, https: string, http: string | undefined): Remark {
  const [one, other] = [shown(http, LONGEST_ADDRESS), shown(https, LONGEST_ADDRESS)];
  const isShown = one !== undefined && other !== undefined;
  return {
    code: "address-scheme",
    message: isShown
      ? `"${name}" is ${one} over http and ${other} over https.`
      : `"${name}" depends on the protocol of the page.`,
    help: "From 11.0 on portals use https only, so the https value is migrated. Check it, or name the portal with --portal-url.",
  };
}

const LONGEST_ADDRESS = 100;

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (isJsonList(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
