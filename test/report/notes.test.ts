// Notes, as people read them: each under the line that it is about, and what concerns many lines once.
import { expect, test } from "vitest";
import { htmlReport } from "../../src/report/html-report.js";
import { markdownReport } from "../../src/report/markdown-report.js";
import { planReport } from "../../src/report/plan-report.js";
import { PLAIN } from "../../src/report/styles.js";
import { openPlace } from "../run/place.js";
import { changeOf, planOf, resultOf, resultOfStory } from "./results.js";

const made = { toolVersion: "0.1.0", at: "2026-01-01T00:00:00.000Z" };

const counted = (text: string, part: RegExp) => text.match(part)?.length ?? 0;

function formatsOf(result: ReturnType<typeof resultOf>): string[] {
  const outcome = { command: "plan", exit: 0, diagnostics: [] } as const;
  return [
    planReport([result], PLAIN),
    markdownReport([result]),
    htmlReport([result], outcome, made).replace(/<style>[\s\S]*?<\/style>/g, ""),
  ];
}

test("reports a deprecation once a plan, in every format", () => {
  for (const text of formatsOf(resultOfStory("deprecated-settings"))) {
    expect(counted(text, /deprecated since/gi)).toBe(1);
  }
});

test("a plan leaves the lines of a deprecation to validate", async () => {
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

test("a note that the next setting of a parameter has as well stands there alone", () => {
  const notes = [{ code: "undo", message: "It stays.", help: "Write this line." }] as const;
  const release = { action: "release", place: null, notes } as const;
  const result = resultOf(
    planOf([
      changeOf("informationalBanner.bgColor", "red", "red", release),
      changeOf("informationalBanner.fontColor", "white", "white", release),
    ]),
  );
  for (const text of formatsOf(result)) {
    expect(counted(text, /Write this line\./g)).toBe(1);
    expect(text.indexOf("Write this line.")).toBeGreaterThan(text.indexOf("fontColor"));
  }
});

test("settings that are in sync already are counted", () => {
  const adopt = { action: "adopt" } as const;
  const result = resultOf(
    planOf([
      changeOf("informationalBanner.text", "A short text", "A short text", adopt),
      changeOf("informationalBanner.enabled", true, true, adopt),
    ]),
  );
  for (const text of formatsOf(result)) {
    expect(text).toContain("2 settings are already in sync and will be tracked.");
    expect(text).not.toContain("A short text");
  }
});
