// The words that Lintel uses in a sense of its own: explained below a text that uses them, and in the help.
import { describe, expect, test } from "vitest";
import { PLAIN } from "../../src/report/text/paint.js";
import { planText } from "../../src/report/text/portals/plan.js";
import { WORDS } from "../../src/report/text/layout.js";
import { openPlace } from "../run/place.js";
import { lintel } from "../support/run.js";
import { named, resultOfStory } from "./results.js";

const flat = (text: string) => text.replace(/\s+/g, " ");

describe("a plan", () => {
  test("explains adopt and release where it counts them, once however many portals there are", () => {
    const results = [
      named(resultOfStory("adopted"), "one"),
      named(resultOfStory("adopted"), "two"),
      named(resultOfStory("removed-line"), "three"),
    ];
    const text = flat(planText(results, PLAIN));
    for (const word of ["adopt", "release"] as const) {
      expect(text.split(`${word} ${WORDS[word]}`)).toHaveLength(2);
    }
  });

  test("explains nothing that it does not use", () => {
    const text = flat(planText([resultOfStory("first-apply")], PLAIN));
    for (const meaning of Object.values(WORDS)) expect(text).not.toContain(meaning);
  });
});

test("status, state show and state history explain theirs", async () => {
  const place = await openPlace({}, { blockBetaApps: true });
  place.write("settings: { blockBetaApps: true }\n");
  expect(flat((await place.run("status")).stdout)).toContain(`adopt ${WORDS.adopt}`);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(flat((await place.run("status")).stdout)).not.toContain(WORDS.adopt);
  const history = flat((await place.run("state history")).stdout);
  expect(history).toContain(`adopt ${WORDS.adopt}`);
  expect(history).not.toContain(WORDS.release);
  const show = flat((await place.run("state show")).stdout);
  for (const word of ["serial", "lineage", "journal"] as const) {
    expect(show).toContain(`${word} ${WORDS[word]}`);
  }
});

test("the help explains them all, and names its topics", async () => {
  const words = flat((await lintel(["help", "words"])).stdout);
  for (const [word, meaning] of Object.entries(WORDS))
    expect(words).toContain(`${word} ${meaning}`);
  const overview = (await lintel(["help"])).stdout;
  expect(overview).toMatch(/lintel help TOPIC\n[^]* exit-status,[^]* words\n/);
  expect((await lintel(["help", "wrods"])).stderr).toContain('"words"');
  const { stdout: offered } = await lintel(["--get-yargs-completions", "lintel", "help", ""]);
  expect(offered).toMatch(/^words$/m);
});

test("what the reference leaves open is called not documented", async () => {
  const { stdout } = await lintel(["explain", "blockBetaApps"]);
  expect(stdout).toMatch(/default +not documented/);
  expect(stdout).not.toContain("not shown");
});
