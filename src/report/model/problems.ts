// What is wrong in files → one problem a paragraph, and one for many files where each of them says the same wrong thing.
import { formatPlace, type Diagnostic } from "../../diagnostic.js";
import { counted, oneLine } from "../../lib/text.js";

/** Fewer that say the same, each in a file of its own, are told one by one. */
const FEW = 4;
/** More places than these are counted rather than named. */
const MOST_PLACES = 60;

/** In the order in which they came; those that many files have in common stand where the first of them does. */
export function problemsAlike(diagnostics: readonly Diagnostic[]): (readonly Diagnostic[])[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const each of diagnostics) {
    const { code, severity, message, help } = each;
    const key = JSON.stringify([code, severity, message, help]);
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  const isMany = (group: readonly Diagnostic[]) =>
    group.length >= FEW && new Set(group.map(({ file }) => file)).size === group.length;
  const many = [...groups.values()].filter(isMany);
  const groupOf = new Map(many.flatMap((group) => group.map((each) => [each, group] as const)));
  return diagnostics.flatMap((each) => {
    const group = groupOf.get(each) ?? [each];
    return group[0] === each ? [group] : [];
  });
}

/** Where the same is wrong beside where it is shown; empty where that is nowhere. */
export function elsewhereText(more: readonly Diagnostic[]): string {
  if (more.length === 0) return "";
  const places = more.slice(0, MOST_PLACES).map((each) => oneLine(formatPlace(each)));
  const left = more.length - places.length;
  const rest = left > 0 ? ` and ${counted(left, "more file")}` : "";
  return `the same in ${counted(more.length, "more file")}: ${places.join(", ")}${rest}`;
}
