// Every claim about a random old file holds in every world.
import { describe, expect, test } from "vitest";
import { fc } from "../support/property.js";
import { SETTINGS, check } from "./claims.js";
import { inWords } from "./figures.js";
import { program, textOf } from "./programs.js";

describe("no claim about a random program is wrong", () => {
  test.each(SETTINGS)(
    "%o",
    async (setting) => {
      await fc.assert(
        fc.asyncProperty(program, async (made) => {
          const text = textOf(made);
          const { contradictions = [] } = (await check(text, setting)) ?? {};
          expect(contradictions.map((each) => `${text}\n${inWords(each)}`)).toEqual([]);
        }),
        { numRuns: 100 },
      );
    },
    300_000,
  );
});
