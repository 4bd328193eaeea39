// Explains why a value is not known: the values seen, and what to do.
import { MARK } from "./evaluate/protocol.js";
import type { Cause } from "./evaluate/evidence.js";
import { USUAL_NAME } from "./known.js";

/** Even where the portal's address is known, the path differs between its pages. */
export const OPEN_PAGE = "page";

/** Each question, or other reason why a value is unknown, as the end of a sentence that begins with "it"; … is the path that it is about. */
const WHY: readonly (readonly [RegExp, string])[] = [
  [/^location(?:\.(?:host|pathname))?$/, "depends on the portal's address"],
  [/^page$/, "depends on which page of the portal is open"],
  [/^location\.protocol$/, "depends on the protocol that the page is loaded with"],
  [/^location\.search$/, "depends on the query of the page's address"],
  [/^location\.hash$/, "depends on the fragment of the page's address"],
  [/^document\.cookie$/, "depends on the cookies"],
  [/^document\.referrer$/, "depends on the referring page"],
  [/^navigator\.language$/, "depends on the browser's language"],
  [/^navigator\./, "depends on the browser"],
  [/^(?:screen$|(?:screen|window)\.)/, "depends on the size of the screen"],
  [/^(?:local|session)Storage/, "depends on what the browser has stored"],
  [/^(?:fetch|(?:new )?XMLHttpRequest)\b/, "depends on what a server answers"],
  [/^esriGeowConfig$/, "depends on a configuration that another script makes first"],
  [/^esriGeowConfig\./, 'depends on "…", which another file sets'],
  [/^time$/, "depends on the time"],
  [/^random$/, "is random"],
  [/^later$/, "changes after the page has loaded"],
  [/^unmet$/, "depends on a condition that only some pages may meet"],
  [/^called$/, "is changed in a function that other scripts may call"],
  [/^with$/, "may be changed inside a with statement"],
  [/^several$/, "depends on several properties of the page"],
  [/^untried$/, "may depend on a condition or a function, and the file has too many to try"],
  [/^key$/, "may be changed through a computed property name"],
  [/^hidden$/, "may be changed by code in a string"],
  [/^foreign$/, "may be changed through an object that another script defines"],
  [/^others$/, "depends on the browser or on other scripts"],
  [/^code$/, "is a function"],
  [/^getter$/, "is computed by a getter"],
  [/^prototype$/, "is inherited from a prototype"],
  [/^form$/, "is not a JSON value"],
  [/^size$/, "grows too large"],
  [/^depth$/, "nests too deep"],
  [/^/, 'depends on "…", which is defined elsewhere'],
];

export function causeInWords(why: string): string {
  const [, words = ""] = WHY.find(([pattern]) => pattern.test(why)) ?? [];
  return words.replace("…", () => why.slice(0, 80));
}

/** What is said of properties that are not understood for one cause. */
export function notUnderstood(
  all: readonly { readonly name: string; readonly cause?: Cause | undefined }[],
): { readonly message: string; readonly help: string } {
  const why = all[0]?.cause?.why ?? "form";
  const named = all.map(({ name, cause }) => `"${name}"${valuesInWords(cause)}`);
  const list = [named.slice(0, -1).join(", "), named.at(-1)].filter(Boolean).join(" and ");
  const isOne = all.length === 1;
  const words = causeInWords(why);
  // "they depend on the cookies"
  const plural = words.replace(/^is /, "are ").replace(/^(\w+)s /, "$1 ");
  return {
    message: isOne
      ? `The value of ${list} is unknown: it ${words}.`
      : `The values of ${list} are unknown: they ${plural}.`,
    help: helpFor(
      why,
      all.map(({ name }) => name),
    ),
  };
}

function helpFor(why: string, names: readonly string[]): string {
  if (/^location(?:\.(?:host|pathname))?$/.test(why)) {
    return "Name the address of the portal that used this file:\n  --portal-url https://gis.example.com/portal";
  }
  if (why.startsWith(`${USUAL_NAME}.`)) {
    return "Name the file that makes the configuration before this one:\n  lintel migrate config.js overrides.js";
  }
  const [name = ""] = names;
  const it = names.length === 1 ? "it" : "them";
  const lines = names.map((each) => `\n  ${each}: …`).join("");
  return `Read ${it} in the browser's console on the old portal (such as ${USUAL_NAME}.${name}), and add ${it}:${lines}`;
}

/** " (5 or 60)"; nothing where one of them is no value of a portal. */
function valuesInWords(cause: Cause | undefined): string {
  const [one, other] = cause?.values?.map((each) => shown(each)) ?? [];
  return one === undefined || other === undefined || one === other ? "" : ` (${one} or ${other})`;
}

/** Of a value as JSON: long ones are no help, and what objects hold may be a key. */
export function shown(json = "undefined", longest = 60): string | undefined {
  if (json === "undefined") return "not set";
  const isShort = json.length <= longest && VALUE.test(json);
  return isShort && !MARK.test(json) && !MADE_UP.test(json) ? json : undefined;
}

/** A text, a list, or another word: anything else stands for the reason why there is no value. */
const VALUE = /^(?:"[^{]*"|\[[^{]*\]|[^\s{]+)$/;
/** Texts that stand for what others define, and the address of no portal: they say what depends on what, and nothing else. */
const MADE_UP = /portal\.example\.com|4731/;
