// Why values are not known → that in words, with the values that were seen, and what to do.
import { MARK } from "./evaluate/page/ask.js";
import type { Cause } from "./evaluate/verdict.js";

/** What is the same for every file, as it goes on after "it". */
const WHY: Readonly<Record<string, string>> = {
  "location.host": "depends on the portal's address",
  "location.pathname": "depends on the portal's address",
  "location.protocol": "depends on the protocol that the page is loaded with",
  "location.search": "depends on the address of the page, after its question mark",
  "location.hash": "depends on the address of the page, after its number sign",
  "document.cookie": "depends on the cookies",
  "document.referrer": "depends on the page that was open before",
  "navigator.language": "depends on the browser's language",
  esriGeowConfig: "depends on whether other scripts have made a configuration before",
  time: "depends on the time",
  random: "is left to chance",
  later: "changes after the page has loaded",
  unmet: "is changed under a condition that was not met in any page that was tried",
  called: "is changed in a function, and whether others call that is not known",
  hidden: "may be changed by code that is hidden in a text",
  foreign: "may be changed through something that others define",
  code: "is a function",
  getter: "is computed anew by a getter at each reading",
  prototype: "is inherited from a prototype",
  form: "is something that settings have no words for",
  size: "grows too large",
  depth: "nests too deep",
};

export function causeInWords(why: string): string {
  const known = WHY[why];
  if (known !== undefined) return known;
  const [kind, path = ""] = why.split(/:(.*)/s);
  if (kind === "callback") return `depends on when "${path}" calls the function that it is handed`;
  if (kind === "change") return `may be changed by "${path}", which is handed what holds it`;
  if (/^(?:screen|screen\..*|window\..*)$/.test(why)) return "depends on the size of the screen";
  if (why.startsWith("navigator.")) return "depends on the browser";
  if (/^(?:local|session)Storage/.test(why)) return "depends on what the browser has stored";
  return `depends on "${why.slice(0, 80)}", which is defined elsewhere`;
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
  const isOfHost = why === "location.host" || why === "location.pathname";
  const lines = all.map(({ name }) => `\n  ${name}: …`).join("");
  return {
    message: isOne
      ? `The value of ${list} cannot be known: it ${words}.`
      : `The values of ${list} cannot be known: they ${plural}.`,
    help: isOfHost
      ? "Say where the portal is:\n  --portal-url https://gis.example.com/portal"
      : `Look up in a browser what ${isOne ? "it is" : "they are"}, and add ${isOne ? "it" : "them"} by hand:${lines}`,
  };
}

/** Long ones are no help, nor are those that are made up here; and what the objects in a list hold may be a key. */
function valuesInWords(cause: Cause | undefined): string {
  const [one, other] = cause?.values?.map((each) => each ?? "not set") ?? [];
  if (one === undefined || other === undefined || one === other) return "";
  const isShown = (each: string) =>
    /^[^{]{1,60}$/.test(each) && !MARK.test(each) && !/portal\.example\.com|\[\w+\.?/.test(each);
  return isShown(one) && isShown(other) ? ` (${one} or ${other})` : "";
}
