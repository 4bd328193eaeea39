// The status of portals: a table of many, what blocks some of them, and each next command once.
import { expect, test } from "vitest";
import { NOTHING_TO_DO, type PortalStatus, statusReport } from "../../src/report/status-report.js";
import { PLAIN, stylesFor } from "../../src/report/styles.js";
import { widthOf } from "../../src/report/text-layout.js";
import { changeOf, named, planOf, resultOf, resultOfStory } from "./results.js";

const changed = resultOf(planOf([changeOf("blockBetaApps", false, true)]));

function standing(name: string, more: Partial<PortalStatus> = {}): PortalStatus {
  return {
    result: named(resultOfStory("nothing-to-do"), name),
    isStateKnown: true,
    state: undefined,
    unknownMs: 0,
    arrival: "unknown",
    signature: null,
    next: NOTHING_TO_DO,
    ...more,
  };
}

const waiting = (name: string) =>
  standing(name, { result: named(changed, name), next: `lintel apply portals/${name}.yaml` });

test("a line each, and what is next for several once", () => {
  const lines = statusReport([standing("one"), waiting("two"), waiting("three")], PLAIN).split(
    "\n",
  );
  expect(lines[0]).toMatch(/^portal +last apply +changes +held up by$/);
  expect(lines[1]).toMatch(/^one +never +none$/);
  expect(lines[2]).toMatch(/^two +never +1 to set$/);
  expect(lines.join("\n")).toContain(
    "next\n  two, three\n    lintel apply portals/two.yaml portals/three.yaml\n",
  );
});

test("what is next for all portals needs no names", () => {
  expect(statusReport([waiting("two"), waiting("three")], PLAIN)).toMatch(
    /\nnext\n {2}lintel apply portals\/two.yaml portals\/three.yaml\n$/,
  );
});

test("a sentence names the first file, and a command all", () => {
  const next = (file: string) =>
    `Add settings to ${file}, or start from the live values:\n  lintel pull ${file} --all`;
  const empty = ["two", "three"].map((name) =>
    standing(name, { next: next(`portals/${name}.yaml`) }),
  );
  expect(statusReport([...empty, standing("one")], PLAIN)).toContain(
    `next
  two, three
    Add settings to portals/two.yaml and 1 more, or start from the live values:
      lintel pull portals/two.yaml portals/three.yaml --all
`,
  );
});

test("nothing to do is said once", () => {
  const text = statusReport([standing("one"), standing("two")], PLAIN);
  expect(text).toContain("\nNothing to do.\n");
  expect(text).not.toContain("next");
});

test("shows guard and error in the last column, the error once", () => {
  const stopped = standing("one", { result: named(resultOfStory("shrink-list"), "one") });
  const failure = { code: "not-reachable", message: "It is down.", help: "Wait." } as const;
  const down = (name: string) =>
    standing(name, {
      result: { ...named(changed, name), plan: null, status: "failed", failure },
      next: `lintel doctor portals/${name}.yaml`,
    });
  const text = statusReport([stopped, down("two"), down("three")], PLAIN);
  expect(text).toMatch(/\none +never +1 to set +1 guard\n/);
  expect(text).toMatch(/\ntwo +never +not known +an error\n/);
  expect(text.match(/It is down\./g)).toHaveLength(1);
});

test("a narrow terminal has the cells below each other", () => {
  const narrow = stylesFor({ isColoured: false, columns: 40 });
  const text = statusReport([standing("one"), waiting("two")], narrow);
  expect(text).toContain("two\n  last apply: never\n  changes: 1 to set\n");
  expect(Math.max(...text.split("\n").map(widthOf))).toBeLessThanOrEqual(40);
});
