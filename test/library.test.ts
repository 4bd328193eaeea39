// What a program in JavaScript may hand to the library, and what is refused before anything is read.
import { expect, test } from "vitest";
import { openLibrary, type Library } from "../src/library.js";

const library = openLibrary({
  env: {},
  cwd: () => "/nowhere",
  pid: 1,
  kill: () => true,
  hrtime: process.hrtime,
  memoryUsage: process.memoryUsage,
});

test.each<[given: readonly unknown[], said: string]>([
  [["portal.yaml"], "files must be a list of paths"],
  [[[1]], "files must be a list of paths"],
  [[[], { concurrency: 0 }], "concurrency must be a whole number from 1, and is 0"],
  [[[], { allow: "disconnect" }], "allow must be a list of guards"],
  [[[], { allow: ["nonsense"] }], 'and is given "nonsense"'],
  [[[], { compareWith: "nothing" }], "compareWith takes live-and-last, live, last, and is given"],
])("%j is refused", async (given, said) => {
  for (const verb of [library.plan, library.apply] as const) {
    const call = verb as (...words: readonly unknown[]) => ReturnType<Library["plan"]>;
    await expect(call(...given)).rejects.toThrow(said);
  }
});
