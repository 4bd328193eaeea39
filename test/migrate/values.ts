// Draws a few of the settings that an old file may hold, and plain values of each kind as text.
import { counterparts } from "../../src/migrate/known.js";
import type { Dice } from "./literals.js";

export type Kind = "number" | "flag" | "address" | "list" | "links";

export const NAMES = counterparts().map(({ inFile }) => inFile);
const KINDS = new Map(
  counterparts().map(({ inFile, property }): [string, Kind] => {
    const { type } = property;
    if (typeof type === "object") return [inFile, "links"];
    if (type.startsWith("array")) return [inFile, "list"];
    if (type === "boolean") return [inFile, "flag"];
    return [inFile, type === "minutes" ? "number" : "address"];
  }),
);

export function kindOf(name: string): Kind {
  return KINDS.get(name) ?? "number";
}

/** Two to five, of which the usual ones come more often. */
export function drawSettings(dice: Dice): string[] {
  const usual = ["tokenExpiration", "longTokenExpiration", "surveyUrl", "httpsDomains"];
  const drawn = new Set<string>();
  const count = 2 + dice.below(4);
  while (drawn.size < count) drawn.add(dice.pick(dice.isOneIn(2) ? usual : NAMES));
  return [...drawn];
}

export const VALUES: Readonly<Record<Kind, readonly string[]>> = {
  number: ["30", "45", "60", "90", "15", "240", "480", "1440", "1e2", "0x20"],
  flag: ["true", "false", "!0", "!1", "false"],
  address: [
    '"https://a.example.org"',
    '"https://b.example.org/survey"',
    "'https://c.example.org:7443/x'",
    '"https://d.example.org"',
    '"https://e.example.org"',
  ],
  list: [
    '["a.example.org"]',
    '["b.example.org", "c.example.org"]',
    "[]",
    '["d.example.org"]',
    '["Example One", "Example Two"]',
  ],
  links: [
    '[{ title: "Contact", url: "https://c.example.org" }]',
    '[{ title: "Help", email: "gis@example.org", type: "contactUs" }]',
    "[]",
    '[{ title: "A", url: "https://a.example.org" }, { title: "B", url: "https://b.example.org" }]',
  ],
};
