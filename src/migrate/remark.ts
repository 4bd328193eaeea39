// A value that is taken over → what a person should know of it all the same.
import { stockValues } from "../catalog/catalog.js";
import type { Property } from "../catalog/facts.js";
import { isJsonList, isJsonObject, type Json } from "../json.js";
import type { MigrationCode } from "../diagnostic.js";
import type { Stretch } from "./script.js";

export interface Remark {
  readonly code: MigrationCode;
  readonly message: string;
  readonly help: string;
  /** The property's own place when left out. */
  readonly at?: Stretch;
  readonly related?: { readonly at: Stretch; readonly message: string };
}

/** `name` is the property's own in the file, which may spell it otherwise than the reference. */
export function remarksOn(
  name: string,
  property: Property,
  value: Json,
  isAssumed: boolean,
): Remark[] {
  const texts = textsIn(value);
  const placeholder = texts.find((each) => /\$\{[^}]*\}/.test(each));
  const mailto = texts.find((each) => /^mailto:/i.test(each));
  const lowered = texts.flatMap((each) => shippedBut(property, each)).slice(0, 3);
  return [
    ...(isAssumed
      ? [
          {
            code: "assumed-https" as const,
            message: `"${name}" goes by the protocol that the portal is opened with, taken to be https.`,
            help: "Check the address, or say where the portal is with --portal-url.",
          },
        ]
      : []),
    ...(placeholder === undefined
      ? []
      : [
          {
            code: "placeholder" as const,
            message: `"${name}" holds a placeholder, which stays as it is: ${JSON.stringify(placeholder.slice(0, 60))}.`,
            help: "Older portals put a translation in its place. Check that yours does, or write the text out.",
          },
        ]),
    ...(mailto === undefined
      ? []
      : [
          {
            code: "mailto" as const,
            message: `"${name}" holds "mailto:" before a mail address: ${JSON.stringify(mailto.slice(0, 60))}.`,
            help: 'Write the bare address unless the portal\'s link works: "mailto:" may come out twice.',
          },
        ]),
    ...lowered.map(({ found, shipped }) => ({
      code: "unlike-shipped" as const,
      message: `"${name}" holds ${JSON.stringify(found)}, where portals were shipped with ${JSON.stringify(shipped)}.`,
      help: "Titles and addresses count to the letter. Write it as shipped unless the difference is meant.",
    })),
  ];
}

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (isJsonList(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** An editor that lower-cased everything leaves texts that differ by that alone. */
function shippedBut(property: Property, found: string): { found: string; shipped: string }[] {
  const shipped = stockValues(property)
    .flatMap(textsIn)
    .find((each) => each !== found && each.toLowerCase() === found.toLowerCase());
  const isExact = stockValues(property).flatMap(textsIn).includes(found);
  return shipped === undefined || isExact ? [] : [{ found, shipped }];
}
