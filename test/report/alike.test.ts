// Portals with changes of their own and in common → each change is told once, of all that have it.
import { expect, test } from "vitest";
import { aboutFile, type Diagnostic } from "../../src/diagnostic.js";
import type { PortalResult } from "../../src/plan/result.js";
import { shareOut } from "../../src/report/model/alike.js";
import { htmlReport } from "../../src/report/html/html.js";
import { markdownReport } from "../../src/report/markdown/markdown.js";
import { PLAIN } from "../../src/report/text/paint.js";
import { checkText } from "../../src/report/text/diagnostic.js";
import { planText } from "../../src/report/text/portals/plan.js";
import { held } from "./fleet.js";
import { MADE, PLAN } from "./made.js";
import { changeOf, named, planOf, resultOf, resultOfStory } from "./results.js";

const told = (...lists: readonly (readonly number[] | undefined)[]) =>
  shareOut(lists.map((ids) => ids && { ids }));

test("what one has stays its own; what several have is shared, the rarest first", () => {
  expect(told([1, 2, 9], [1, 2, 3], undefined, [1], [1, 4])).toEqual({
    own: [[9], [3], [], [], [4]],
    shared: [
      { portals: [0, 1], ids: [2] },
      { portals: [0, 1, 3, 4], ids: [1] },
    ],
  });
});

test("nothing is lost and nothing is told twice, however changes are spread", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const lists = spread(seed);
    const { own, shared } = told(...lists);
    const parts = own.map((ids, at) => [
      ...ids,
      ...shared.filter(({ portals }) => portals.includes(at)).flatMap(({ ids: held }) => held),
    ]);
    expect(parts.map(inOrder)).toEqual(lists.map(inOrder));
    const all = [...own.flat(), ...shared.flatMap(({ ids }) => ids)];
    expect(new Set(all).size).toBe(all.length);
  }
});

const inOrder = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);

/** Up to twelve portals, each with some of ten changes: the same for the same seed. */
function spread(seed: number): number[][] {
  let state = seed;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  return Array.from({ length: 1 + next(12) }, () =>
    Array.from({ length: 10 }, (_, id) => id).filter(() => next(2) === 0),
  );
}

test("fifty nearly equal plans fill a screen, not a book", () => {
  const common = ["tokenExpiration", "longTokenExpiration", "surveyUrl"].map((name, at) =>
    changeOf(`portalConfigProperties.${name}`, at, at + 1),
  );
  const odd = changeOf("informationalBanner.text", "Ours", "Theirs");
  const results = Array.from({ length: 50 }, (_, at) =>
    named(resultOf(planOf(at === 17 ? [...common, odd] : common)), `gis-${at + 1}`),
  );
  const lines = planText(results, PLAIN).split("\n");
  expect(lines.length).toBeLessThan(40);
  expect(lines[0]).toMatch(/^gis-18 /);
  expect(lines).toContain("The same 3 changes on 50 portals:");
});

test("what is sent is told where it is the same, and elsewhere where to find it", () => {
  const change = changeOf("blockBetaApps", false, true);
  const sending = (...settings: readonly boolean[]) =>
    settings.map((enabled, at) => {
      const request = {
        parameters: ["blockBetaApps", "informationalBanner"],
        settings: { blockBetaApps: true, informationalBanner: { enabled } },
      };
      return named(resultOf(planOf([change], { request })), `gis-${at + 1}`);
    });
  const differ = "What is sent as a whole differs between them; it is in the JSON report.";
  const reports = (results: PortalResult[]) => [
    markdownReport(results),
    htmlReport(results, PLAN, MADE),
  ];
  for (const text of reports(sending(true, true))) {
    expect(text.replaceAll("&quot;", '"').match(/"enabled": true/g)).toHaveLength(1);
    expect(text).not.toContain(differ);
  }
  for (const text of reports(sending(true, false))) {
    expect(text).not.toContain("enabled");
    expect(text).toContain(differ);
  }
  const done = sending(true, false).map((each) => ({ ...each, status: "applied" }) as const);
  for (const text of reports(done)) expect(text).not.toContain(differ);
});

test("a portal with something of its own shows what is sent to it, and what is like the others by name", () => {
  const common = changeOf("blockBetaApps", false, true);
  const own = changeOf("informationalBanner.text", "a", "b");
  const request = { parameters: ["blockBetaApps"], settings: { blockBetaApps: true } };
  const results = [
    named(resultOf(planOf([common, own], { request })), "odd"),
    ...["one", "two"].map((name) => named(resultOf(planOf([common])), name)),
  ];
  const comment = markdownReport(results);
  expect(comment.indexOf("sends <code>")).toBeGreaterThan(comment.indexOf("<code>odd</code>"));
  expect(comment.indexOf("sends <code>")).toBeLessThan(comment.indexOf("The same change"));
  expect(comment).toContain("and 1 change that others have, too: see below");
  const page = htmlReport(results, PLAN, MADE);
  expect(page).toMatch(/Like others:\s*<a href="#g1"\s*>the same change on 3 portals</);
});

test("a fold on a page says of several what changes, and that a guard stops it", () => {
  const result = resultOfStory("banner-off-after-the-day");
  const page = (...results: PortalResult[]) => {
    const [, summary = ""] =
      /<details class="portal" id="g1".*?<summary>(.*?)<\/summary>/s.exec(
        htmlReport(results, PLAN, MADE).replace(/\s+/g, " "),
      ) ?? [];
    return summary.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  };
  const two = [named(result, "one"), named(result, "two")];
  expect(page(...two)).toBe(
    " The same change on 2 portals with changes 1 closed guard informationalBanner ",
  );
  expect(page(...two.map((each) => ({ ...each, status: "applied" }) as const))).toBe(
    " The same change on 2 portals applied informationalBanner ",
  );
});

test("a hold names the file of each in the command that ends it, whatever it is called", () => {
  const results = ["a b", "c"].map((name) => named(held(resultOf(planOf([]))), name));
  const command = "lintel state unhold 'portals/a b.yaml' portals/c.yaml";
  expect(markdownReport(results)).toContain(command);
  expect(planText(results, PLAIN)).toContain(command);
  const names = Array.from({ length: 20 }, (_, at) => `p${at}`);
  const twenty = names.map((name) => named(held(resultOf(planOf([]))), name));
  const files = names.map((name) => `portals/${name}.yaml`).join(" ");
  expect(planText(twenty, PLAIN)).toContain(`lintel state unhold ${files}\n`);
});

test("portals that cannot be reached, each at its own host, are one row and told of once", () => {
  const results = Array.from({ length: 12 }, (_, at) => {
    const host = `gis-${at + 1}.example.com`;
    const failure = {
      code: "not-reachable",
      message: `The host "${host}" cannot be reached.`,
      help: `Look:\n  lintel doctor portals/gis-${at + 1}.yaml`,
    } as const;
    const result = { ...resultOf(planOf([])), status: "failed", plan: null, failure } as const;
    const portal = { name: "", url: `https://${host}/portal/sharing/rest`, id: "self" };
    return named({ ...result, portal }, `gis-${at + 1}`);
  });
  const page = htmlReport(results, PLAN, MADE);
  expect(page.match(/cannot be reached/g)).toHaveLength(2);
  expect(page).toContain("The host &quot;HOST&quot; cannot be reached.");
  expect(page).toContain("The same failure on 12 portals");
  expect(page).toContain("lintel doctor portals/gis-1.yaml portals/gis-2.yaml");
  const comment = markdownReport(results);
  expect(comment).toContain("| 12 portals, each: `gis-1`, ");
  expect(comment).toContain('The host "HOST" cannot be reached. [not-reachable]');
  const text = planText(results, PLAIN);
  expect(text.match(/cannot be reached/g)).toHaveLength(1);
  expect(text).toMatch(/\ngis-12 {2}https:.*\nerror: The host "HOST" cannot be reached\./);
  const some = htmlReport(results.slice(0, 1), PLAN, MADE);
  expect(some).toContain("The host &quot;gis-1.example.com&quot; cannot be reached.");
});

test("a setting that each file sets at its own line is told without one", () => {
  const at = (file: string, line: number) => ({
    ...changeOf("blockBetaApps", false, true),
    place: { file, line, column: 1 },
  });
  const plansAt = (...places: readonly (readonly [string, number])[]) =>
    planText(
      places.map(([file, line], index) => named(resultOf(planOf([at(file, line)])), `${index}`)),
      PLAIN,
    );
  expect(plansAt(["_base.yaml", 7], ["_base.yaml", 7])).toContain("_base.yaml:7");
  expect(plansAt(["a.yaml", 7], ["b.yaml", 9])).not.toMatch(/[ab]\.yaml:/);
});

test("what stops portals each at a line of its own file is told once, without the line", () => {
  const stopped = Array.from({ length: 5 }, (_, at) => {
    const file = `portals/p${at}.yaml`;
    const message = `Blocked by the policy "hosts". ${file}:${at + 3}:8: Wrong host.`;
    const failure = {
      code: "against-policy",
      message,
      help: `Look:\n  lintel plan ${file}`,
    } as const;
    return named(resultOf(planOf([]), { status: "failed", failure }), `p${at}`);
  });
  const told = planText(stopped, PLAIN);
  expect(told).toContain(
    '5 portals: p0, p1, p2, p3, p4\nerror: Blocked by the policy "hosts". Wrong host. [against-policy]\n',
  );
  expect(planText(stopped.slice(0, 1), PLAIN)).toContain(
    '"hosts". portals/p0.yaml:3:8: Wrong host.',
  );
});

test("a mistake that many files make, each for itself, is shown once, with all the places", () => {
  const mistake = (file: string, line: number): Diagnostic => ({
    ...aboutFile("wrong-type", file, "It is no number.", "Write one."),
    place: {
      file,
      line,
      column: 3,
      endLine: line,
      endColumn: 4,
      excerpt: { text: "  x", from: 2, to: 3 },
    },
  });
  const other = aboutFile("wrong-type", "b.yaml", "It is no list.", "Write one.");
  const found = [mistake("a.yaml", 1), other, mistake("b.yaml", 2), mistake("c.yaml", 3)];
  const few = checkText({ diagnostics: found, files: [] }, PLAIN);
  expect(few.match(/^[a-c]\.yaml.*: error/gm)?.map((line) => line[0])).toEqual([
    "a",
    "b",
    "b",
    "c",
  ]);
  const many = checkText({ diagnostics: [...found, mistake("d.yaml", 4)], files: [] }, PLAIN);
  expect(many.match(/It is no number/g)).toHaveLength(1);
  expect(many).toContain(
    "  the same in 3 more files: b.yaml:2:3, c.yaml:3:3, d.yaml:4:3\n  help: ",
  );
  expect(many).toContain(": 5 errors.");
  const comment = markdownReport([], { diagnostics: [...found, mistake("d.yaml", 4)] });
  expect(comment.match(/It is no number/g)).toHaveLength(1);
  expect(comment).toContain("  the same in 3 more files: b.yaml:2:3, c.yaml:3:3, d.yaml:4:3\n");
  const twice = [...found, mistake("a.yaml", 9)];
  expect(checkText({ diagnostics: twice, files: [] }, PLAIN)).not.toContain("the same in");
});
