// Notes, as people read them: each under the line that it is about, and what concerns many lines once.
import { expect, test } from "vitest";
import { htmlReport } from "../../src/report/html/html.js";
import { markdownReport } from "../../src/report/markdown/markdown.js";
import { PLAIN } from "../../src/report/text/paint.js";
import { planText } from "../../src/report/text/portals/plan.js";
import { openPlace } from "../run/place.js";
import { changeOf, planOf, resultOf, resultOfStory } from "./results.js";

const made = { toolVersion: "0.1.0", at: "2026-01-01T00:00:00.000Z" };

const counted = (text: string, part: RegExp) => text.match(part)?.length ?? 0;

function formatsOf(result: ReturnType<typeof resultOf>): string[] {
  const outcome = { command: "plan", exit: 0, diagnostics: [] } as const;
  return [
    planText([result], PLAIN),
    markdownReport([result]),
    htmlReport([result], outcome, made).replace(/<style>[\s\S]*?<\/style>/g, ""),
  ];
}

test("a deprecation is told once a plan, in every format", () => {
  for (const text of formatsOf(resultOfStory("deprecated-settings"))) {
    expect(counted(text, /deprecated since/gi)).toBe(1);
  }
});

test("a plan leaves it to validate to tell it at each line", async () => {
  const place = await openPlace();
  place.write(
    "settings: { portalConfigProperties: { tokenExpiration: 30, httpsDomains: [a.example.com] } }\n",
  );
  const formats = "--output text --output markdown=plan.md --output html=plan.html";
  const { stdout } = await place.run(`plan ${formats} --output json=plan.json`);
  for (const text of [stdout, place.read("plan.md"), place.read("plan.html")]) {
    expect(counted(text.replace(/<style>[\s\S]*?<\/style>/g, ""), /deprecated/gi)).toBe(1);
  }
  const { diagnostics } = JSON.parse(place.read("plan.json")) as {
    diagnostics: { code: string }[];
  };
  expect(diagnostics.map(({ code }) => code)).toEqual(["deprecated", "deprecated"]);

  place.write(
    "rules: { deprecated: error }\nsettings: { portalConfigProperties: { tokenExpiration: 30 } }\n",
  );
  const refused = await place.run("plan");
  expect(refused.exit).toBe(3);
  expect(refused.stdout).toContain("[deprecated]");
});

test("a note stands under each line that it is about, also where the next says the same", () => {
  const notes = [{ code: "undo", message: "Write this line." }] as const;
  const release = { action: "release", place: null, notes } as const;
  const result = resultOf(
    planOf([
      changeOf("informationalBanner.bgColor", "red", "red", release),
      changeOf("informationalBanner.fontColor", "white", "white", release),
    ]),
  );
  for (const text of formatsOf(result)) {
    expect(counted(text, /Write this line\./g)).toBe(2);
    expect(text.indexOf("Write this line.")).toBeLessThan(text.indexOf("fontColor"));
  }
});

test("what is said beside values stands in one column, as long as there is room", () => {
  const adopt = { action: "adopt" } as const;
  const result = resultOf(
    planOf([
      changeOf("informationalBanner.text", "A short text", "A short text", adopt),
      changeOf("informationalBanner.enabled", true, true, adopt),
      changeOf("informationalBanner.bgColor", "x".repeat(59), "x".repeat(59), adopt),
    ]),
  );
  const lines = planText([result], PLAIN).split("\n");
  const at = ["text", "enabled"].map(
    (name) => lines.find((line) => line.includes(`= ${name}`))?.indexOf("already in sync") ?? -1,
  );
  expect(at[0]).toBeGreaterThan(0);
  expect(at[1]).toBe(at[0]);
});
