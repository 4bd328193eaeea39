// What became of portals whose every text tries to break out of a report.
import type { PortalResult } from "../../src/plan/result.js";
import { fc } from "../support/property.js";
import { planOf, resultOf } from "./results.js";

/** Everything that could end code or a fold, or be alive outside of them. */
const RUDE = [
  "</details>",
  "</summary>",
  "<summary>",
  "<script>alert(1)</script>",
  "<!--",
  "-->",
  "<img src=x onerror=y>",
  "```",
  "`````",
  "~~~",
  "`",
  "| pipes |",
  "\\|",
  "\\",
  "@everyone",
  "#123",
  "[link](javascript:x)",
  "http://example.com",
  "**bold**",
  "\n\n# Heading\n\n",
  "\r",
  "\t",
  "\u202e",
  "\u0000",
  "\u001b[2J",
  "&lt;",
  "שלום",
  "👨‍👩‍👧",
  "- item",
  "    ",
  "\n```\n",
  "\n</details>\n",
];

const rude = fc
  .array(fc.oneof(fc.constantFrom(...RUDE), fc.string({ unit: "binary", maxLength: 5 })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(""));

const json = fc.oneof(
  rude,
  fc.boolean(),
  fc.array(fc.oneof(rude, fc.record({ title: rude, url: rude })), { maxLength: 6 }),
  rude.map((text) => text.repeat(40)),
);

const anyChange = fc.record({
  path: fc.tuple(rude, rude).map(([parameter, name]) => [parameter || "p", name || "n"]),
  action: fc.constantFrom("set", "default", "adopt", "release"),
  cause: fc.constantFrom("file", "schedule"),
  window: fc.record({ name: rude, is: fc.constantFrom("open", "over"), since: rude }),
  before: fc.option(json),
  after: json,
  place: fc.option(fc.record({ file: rude, line: fc.nat(), column: fc.nat() })),
  notes: fc.array(fc.record({ code: fc.constantFrom("drift", "undo"), message: rude }), {
    maxLength: 2,
  }),
} as const);

const anyGuard = fc.record({
  name: fc.constantFrom("shrink-list", "disconnect"),
  path: fc.option(fc.array(rude, { minLength: 1, maxLength: 2 })),
  message: rude,
  isOpen: fc.boolean(),
  openedBy: fc.constant({ by: "file", path: null, until: "2027-01-01", reason: "`</details>`" }),
} as const);

export const anyResult = fc
  .record({
    name: rude,
    url: rude,
    changes: fc.array(anyChange, { maxLength: 5 }),
    guards: fc.array(anyGuard, { maxLength: 2 }),
    said: fc.option(rude),
  })
  .map(({ name, url, changes, guards, said }): PortalResult => {
    const settings = Object.fromEntries(changes.map(({ path, after }) => [path[0] ?? "", after]));
    const plan = planOf(changes, {
      guards,
      request: { parameters: Object.keys(settings), settings },
    });
    return resultOf(plan, {
      file: url,
      portal: { name, url, id: name },
      hold:
        said === null
          ? null
          : {
              since: said,
              by: said,
              why: said,
              isByHand: false,
              until: null,
              isAgreed: false,
              isOlder: false,
              inBase: null,
              inWindow: null,
              isUnsettled: false,
            },
      failure: said === null ? null : { code: "portal-refused", message: said, help: said },
    });
  });
