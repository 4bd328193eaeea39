// What the text report of a drift says, and that the page and the comment say the same.
import { expect, test } from "vitest";
import { EXIT } from "../../src/failure.js";
import type { Json } from "../../src/lib/json.js";
import { driftChange, driftReport, type PortalDrift } from "../../src/report/drift-report.js";
import { htmlDriftReport } from "../../src/report/html-report.js";
import { markdownDriftReport } from "../../src/report/markdown-report.js";
import { stylesFor } from "../../src/report/styles.js";
import { pathOf } from "../plan/inputs.js";
import { held } from "./fleet.js";
import { MADE, PLAN } from "./made.js";
import { changeOf, named, planOf, resultOf } from "./results.js";

const WIDE = stylesFor({ isColoured: false, columns: 140 });

type Values = readonly (readonly [path: string, before: Json, after: Json, hint?: "unmanaged"])[];

function drifted(name: string, values: Values): PortalDrift {
  const result = named(resultOf(planOf([])), name);
  const place = { file: result.file, line: 7, column: 3 };
  const changes = values.map(([path, proven, live, hint]) =>
    driftChange({ path: pathOf(path), proven, live, isManaged: hint === undefined }, place),
  );
  return {
    result: { ...result, status: values.length > 0 ? "changes" : "unchanged" },
    changes,
    last: { time: "2026-06-01T09:30:00.000Z", by: "ana" },
  };
}

const BANNER: Values = [
  [
    "informationalBanner.text",
    "Maintenance on Saturday.\nThe map is read-only.\nCall 112 for help.",
    "Maintenance on Sunday.\nThe map is read-only.\nCall 113 for help.\nThanks.",
  ],
  ["blockBetaApps", false, true],
];

const SEVERAL: readonly PortalDrift[] = [
  drifted("north", BANNER),
  drifted("south", BANNER),
  drifted("east", [["informationalBanner.text", "Closed on\nMonday.", null]]),
  drifted("west", []),
  drifted("extra", [["aiAssistantsEnabled", null, true, "unmanaged"]]),
];

const NAMES = ["north", "south", "east", "west", "extra", "no drift"];
const VALUES = ["Saturday", "Sunday", "112", "113", "Thanks", "Closed on", "Monday."];

const plain = (page: string) =>
  page
    .replace(/<(style|script)[^]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&quot;", '"')
    .replace(/\s+/g, " ");

test("the text, the page and the comment say the same of several portals", () => {
  const outcome = { ...PLAN, command: "drift", exit: EXIT.pending };
  const text = driftReport(SEVERAL, WIDE);
  const reports = [
    text,
    plain(htmlDriftReport(SEVERAL, outcome, MADE)),
    markdownDriftReport(SEVERAL, outcome),
  ];
  for (const report of reports) {
    const words = [
      "5 portals: 6 settings changed since the last apply.",
      ...NAMES,
      ...VALUES,
      "informationalBanner",
      "blockBetaApps",
      "aiAssistantsEnabled",
      "Last apply: 2026-06-01 09:30 UTC by ana.",
      "Each change: value after the last apply → value now.",
      "The file does not manage it.",
      "portals/east.yaml:7",
      "lintel pull portals/north.yaml portals/south.yaml --path informationalBanner.text --path blockBetaApps",
      "lintel plan portals/north.yaml portals/south.yaml",
      "lintel plan portals/east.yaml",
      "lintel pull portals/extra.yaml --all",
    ];
    expect(words.filter((each) => !report.includes(each))).toEqual([]);
  }
  expect(text).toContain(`north  https://gis.example.com/portal/sharing/rest
south  https://gis.example.com/portal/sharing/rest
  Last apply: 2026-06-01 09:30 UTC by ana.
  Each change: value after the last apply → value now.

  informationalBanner
    ~ text
        │ Maintenance on [-Saturday-]{+Sunday+}.
        │ The map is read-only.
        │ Call [-112-]{+113+} for help.{+↵
        │ Thanks.+}
  ~ blockBetaApps  false → true

  Keep the portal's values:
    lintel pull portals/north.yaml portals/south.yaml --path informationalBanner.text --path blockBetaApps
  Review a plan that restores the file's values:
    lintel plan portals/north.yaml portals/south.yaml
`);
  expect(text).toMatch(/\nwest {2}\S+ {2}no drift\n/);
});

test("a text that is gone is marked as gone", () => {
  const [, , east] = SEVERAL;
  expect(driftReport(east ? [east] : [], WIDE)).toContain("│ [-Closed on↵\n        │ Monday.-]\n");
});

test("a hold says what to do in place of the steps", () => {
  const result = { ...held(resultOf(planOf([changeOf("blockBetaApps", false, true)]))) };
  const [north] = SEVERAL;
  const text = driftReport(
    north ? [{ ...north, result: { ...north.result, hold: result.hold } }] : [],
    WIDE,
  );
  expect(text).toContain("lintel unhold");
  expect(text).not.toContain("lintel apply");
});
