// The worst of the hostile files, read by the built command side by side: each ends with an outcome, in little memory, and leaves nothing behind. All of them: npm run test:slow.
import { describe, expect, test } from "vitest";
import { HOSTILE, faultsOf } from "./hostile.js";

/** One of each way to hang or to break; what takes longest first. A native call that nothing but the clock ends takes a minute. */
const TELLING = [
  "an endless loop",
  "a loop that catches what ends it",
  "an expression that takes for ever",
  "a loop in a promise",
  "a proxy that never answers",
  "an endless loop in some pages",
  "a million questions",
  "200 conditions of three parts",
  "objects without an end",
  "texts without an end",
  "buffers without an end",
  "buffers without an end in some pages",
  "a list of 400 million",
  "numbers without an end",
  "what takes too much is caught",
  "a text of a million brackets",
  "code of 100,000 brackets",
  "100,000 lists in each other",
  "500,000 lists in each other",
  "1,000 templates",
  "1,000 templates without an end",
  "1,000 methods",
  "300 functions in templates",
  "3,000 loops",
  "1,000 indexes",
  "100,000 members",
  "a value of 100,000 lists in each other",
  "a function that calls itself",
  "a class of 100,000 classes",
  "more than 1 MB",
];

describe.concurrent("it ends with an outcome", () => {
  test.each(TELLING)("%s", async (name) => {
    expect(HOSTILE).toHaveProperty([name]);
    expect(await faultsOf(name)).toEqual([]);
  });
});
