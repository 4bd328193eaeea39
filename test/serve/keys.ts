// Lists the keys of events that the page on output does not name.
import { namesIn, readPage, rowsUnder } from "../support/manual.js";

const PAGE = "docs/output.md";

const common = rowsUnder(PAGE, "Key of an event | Holds").flatMap(([key = ""]) => namesIn(key));
const own = new Map(
  rowsUnder(PAGE, "`event` | When | Its own keys").flatMap(([events = "", , keys = ""]) =>
    namesIn(events).map((event) => [event, namesIn(keys)] as const),
  ),
);
const [, rest = ""] = /^Each of `changes` has (.*)$/m.exec(readPage(PAGE)) ?? [];
const ofChanges = namesIn(rest);

/** As "event.key" each. */
export function unnamedKeys(events: readonly { readonly event: string }[]): string[] {
  return events.flatMap((each) => {
    const named = own.get(each.event) ?? [];
    const { changes = [], drift = [] } = each as Listing;
    const keys = [
      ...Object.keys(each).filter((key) => ![...common, ...named].includes(key)),
      ...changes.flatMap((one) => Object.keys(one)).filter((key) => !ofChanges.includes(key)),
      ...drift.flatMap((one) => Object.keys(one)).filter((key) => !named.includes(key)),
    ];
    return keys.map((key) => `${each.event}.${key}`);
  });
}

interface Listing {
  readonly changes?: readonly object[];
  readonly drift?: readonly object[];
}
