// Plans as a terminal shows them.
import { describe, expect, test } from "vitest";
import { EXIT, Failure } from "../../src/failure.js";
import type { PortalResult } from "../../src/plan/result.js";
import { planReport } from "../../src/report/plan-report.js";
import { stylesFor } from "../../src/report/styles.js";
import { widthOf } from "../../src/report/text-layout.js";
import { fc } from "../support/property.js";
import { expectGolden } from "./golden.js";
import { fleetOf } from "./fleet.js";
import { changeOf, named, planOf, resultOf, resultOfStory, STORIES } from "./results.js";
import { anyResult } from "./rude.js";

const plain = stylesFor({ isColoured: false });
const coloured = stylesFor({ isColoured: true });

// oxlint-disable-next-line no-control-regex -- the escape sequences are what is taken away
const withoutColour = (text: string) => text.replace(/\u001b\[\d+m/g, "");

describe("a story reads as it is written", () => {
  test.each(STORIES)("%s", (story) => {
    const results = [resultOfStory(story)];
    const text = planReport(results, plain);
    expectGolden(`${story}.txt`, text);
    expect(withoutColour(planReport(results, coloured))).toBe(text);
  });
});

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const NOTICE = [
  "The portal is read-only on Friday from 18:00 until midnight, while the servers are updated.",
  "Please save your work before, and sign out. Maps that are shared with everyone stay visible all the time.",
  "",
  "Questions? Call the service desk.",
].join("\n");

const fallen: PortalResult = {
  ...resultOf(planOf([])),
  status: "failed",
  plan: null,
  failure: new Failure(
    "not-reachable",
    '"gis.example.com" cannot be reached.',
    "Look whether it runs.",
  ),
  exit: EXIT.refused,
};

const LINKS = [
  { title: "Help", url: "https://gis.example.com/help" },
  { title: "Imprint", url: "https://www.example.com/imprint" },
  { title: "Contact", url: "https://www.example.com/contact" },
];

const CASES: Readonly<Record<string, readonly PortalResult[]>> = {
  "a long text": [
    resultOf(
      planOf([
        changeOf(
          "anonymousAccessNotice.text",
          NOTICE,
          NOTICE.replace("Friday", "Saturday").replace("service desk", "GIS team\nor write to it"),
        ),
        changeOf("authenticatedAccessNotice.text", null, NOTICE),
        changeOf("informationalBanner.text", NOTICE, "Short."),
      ]),
    ),
  ],
  lists: [
    resultOf(
      planOf([
        changeOf("portalConfigProperties.footerLinks", LINKS, [
          { title: "News", url: "https://www.example.com/news" },
          { title: "Help", url: "https://gis.example.com/portal/help" },
          ...LINKS.slice(1),
        ]),
        changeOf("portalConfigProperties.httpsDomains", null, [
          "a.example.com",
          "b.example.com",
          "a-much-longer-name.example.com",
        ]),
      ]),
    ),
  ],
  applied: [
    resultOf(
      planOf([
        changeOf("informationalBanner.enabled", false, true),
        changeOf("informationalBanner.text", "same", "same", { action: "adopt" }),
        changeOf("informationalBanner.bgColor", "red", "red", { action: "release", place: null }),
      ]),
      { status: "applied" },
    ),
  ],
  "a hold": [
    resultOf(planOf([changeOf("blockBetaApps", false, true)]), {
      status: "held",
      hold: {
        since: "2026-06-01T10:00:00Z",
        by: "alice",
        why: "rollback to serial 4",
        isByHand: false,
        until: null,
        isAgreed: false,
        isOlder: false,
        inBase: null,
        inWindow: null,
        isUnsettled: false,
      },
      exit: EXIT.stopped,
    }),
  ],
  "a portal that cannot be reached": [fallen],
  "a fleet": [
    named(resultOfStory("shrink-list"), "one"),
    named(resultOfStory("nothing-to-do"), "two"),
    named(fallen, "three"),
    named(resultOfStory("first-apply"), "four"),
    named(fallen, "five"),
    named({ ...fallen, status: "skipped", failure: null }, "six"),
  ],
  "a fleet that changes alike": fleetOf(16),
};

describe("it says", () => {
  test.each(Object.keys(CASES))("%s", (name) => {
    const text = planReport(CASES[name] ?? [], plain);
    expectGolden(`${name.replaceAll(" ", "-")}.txt`, text);
  });

  test("where words changed, in colour", () => {
    const change = changeOf(
      "informationalBanner.text",
      NOTICE,
      NOTICE.replace("Friday", "Saturday"),
    );
    expect(planReport([resultOf(planOf([change]))], coloured)).toContain(
      "on \u001b[31mFriday\u001b[39m\u001b[32mSaturday\u001b[39m from",
    );
  });

  test("that nothing changes before all else", () => {
    const results = ["one", "two"].map((name) => named(resultOfStory("nothing-to-do"), name));
    expect(planReport(results, plain)).toBe("No changes. 2 portals: 2 unchanged.\n");
  });
});

const RUDE = [
  'He said "no"\n\n1 portal: 0 to set.\n',
  "</script></details> ``` | pipes | @everyone #1",
  "\u001b[2J\u001b]0;title\u0007\u202eevil\u0000",
  "שלום עולם ",
  "👨‍👩‍👧 ",
].join(" ");

describe("with any text,", () => {
  const long = RUDE.repeat(30);
  const results = [
    resultOf(
      planOf([
        changeOf("informationalBanner.text", long, `New. ${long}`),
        changeOf("anonymousAccessNotice.text", null, long),
        changeOf("anonymousAccessNotice.title", RUDE.slice(0, 30), RUDE.slice(20, 60)),
        changeOf("portalConfigProperties.footerLinks", [RUDE], [{ title: RUDE }]),
      ]),
      {
        hold: {
          since: "now",
          by: RUDE,
          why: RUDE,
          isByHand: false,
          until: null,
          isAgreed: false,
          isOlder: false,
          inBase: null,
          inWindow: null,
          isUnsettled: false,
        },
      },
    ),
  ];
  const text = planReport(results, plain);

  test("no control character reaches the terminal", () => {
    expect(text).not.toMatch(CONTROL);
  });

  test("nor from names, guards, notes and failures", () => {
    fc.assert(
      fc.property(fc.array(anyResult, { maxLength: 3 }), (any) => {
        expect(planReport(any, plain)).not.toMatch(CONTROL);
      }),
    );
  });

  test("it forges no line", () => {
    const own = text.split("\n").filter((line) => /^\S/.test(line));
    expect(own).toEqual([
      "staging  https://gis.example.com/portal/sharing/rest",
      "1 portal: 4 to set. It is on hold.",
    ]);
  });

  test("no line is wider than the terminal", () => {
    for (const width of [80, 100]) {
      const lines = planReport(results, stylesFor({ isColoured: false, columns: width })).split(
        "\n",
      );
      expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
    }
  });
});

describe("what is large stays readable:", () => {
  const huge = "All work and no play. ".repeat(5_000);

  test("a text of 100 kB is shortened and the rest counted", () => {
    const results = [resultOf(planOf([changeOf("anonymousAccessNotice.text", null, huge)]))];
    const text = planReport(results, plain);
    expect(text.length).toBeLessThan(6_000);
    expect(text).toMatch(/… \(\d+,\d{3} more characters\) …/);
  });

  test("a change inside one is shown with its neighbours alone", () => {
    const changed = `${huge.slice(0, 58_800)}Look here. ${huge.slice(58_800)}`;
    const text = planReport(
      [resultOf(planOf([changeOf("anonymousAccessNotice.text", huge, changed)]))],
      plain,
    );
    expect(text).toContain("{+Look here. +}");
    expect(text.split("\n").length).toBeLessThan(14);
  });

  test("a long name on a narrow terminal has its value below it, whole", () => {
    const path = "portalConfigProperties.restrictOrganizationPageToAdmin";
    const plans = [resultOf(planOf([changeOf(path, false, true)]))];
    const text = planReport(plans, stylesFor({ isColoured: false, columns: 40 }));
    expect(text).toContain("    ~ restrictOrganizationPageToAdmin\n        false → true\n");
  });

  test("a list of 2,000 entries is begun and the rest counted", () => {
    const hosts = Array.from({ length: 2_000 }, (_, at) => `host-${at}.example.com`);
    const text = planReport(
      [resultOf(planOf([changeOf("portalConfigProperties.httpsDomains", [], hosts)]))],
      plain,
    );
    expect(text).toContain("… 1,960 more changes");
    expect(text.split("\n").length).toBeLessThan(60);
  });

  test("1,000 portals are counted, and those that failed alike share the words", () => {
    const results = Array.from({ length: 1_000 }, (_, at) =>
      named(
        at < 3 ? resultOfStory("first-apply") : at < 103 ? fallen : resultOfStory("nothing-to-do"),
        `p${at}`,
      ),
    );
    const text = planReport(results, plain);
    expect(text.split("\n").length).toBeLessThan(100);
    expect(text).toContain("897 portals unchanged\n");
    expect(text).toContain("\n100 portals: p3, p4, ");
    expect(
      text.endsWith("1,000 portals: 3 with changes, 897 unchanged, 100 failed. 12 to set.\n"),
    ).toBe(true);
  });

  test("values deep inside unlisted settings are shown on one line", () => {
    const deep = JSON.parse(`${'{"a":['.repeat(60)}1${"]}".repeat(60)}`) as never;
    const text = planReport(
      [resultOf(planOf([changeOf("newParameter", [deep], [deep, 2])]))],
      plain,
    );
    expect(text).toContain("      … 1 unchanged\n      + 2\n");
  });
});
