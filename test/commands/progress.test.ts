// What a person sees of a long run, and that nothing of it is left behind.
import { describe, expect, test } from "vitest";
import { watch } from "../../src/cli/progress.js";
import type { Io, Output } from "../../src/io.js";
import { progressLines, type RunProgress } from "../../src/cli/progress-lines.js";
import { widthOf } from "../../src/report/text-layout.js";
import { openScreen } from "../support/screen.js";

const STANDING: RunProgress = {
  portals: 50,
  done: 12,
  failed: 1,
  changing: 3,
  elapsedMs: 12_000,
  underWay: [
    { name: "gis-9", doing: "signing in", forMs: 8_000 },
    { name: "gis-7", doing: "looking at the portal", forMs: 12_000 },
    { name: "gis-8", doing: "reading its state", forMs: 300 },
  ],
};

describe("the lines", () => {
  test("count, and name those that take long, the longest first", () => {
    expect(progressLines(STANDING, 100)).toEqual([
      "12 of 50 portals done, 3 with changes, 1 failed, about 38 s left",
      "  gis-7 looking at the portal (12 s), gis-9 signing in (8 s)",
    ]);
  });

  test("of one portal name its current step", () => {
    const [only] = STANDING.underWay;
    const one = { ...STANDING, portals: 1, done: 0, underWay: only ? [only] : [] };
    expect(progressLines(one, 100)).toEqual(["gis-9 signing in (8 s)"]);
  });

  test.each([20, 40, 60, 80])("fit %i columns", (width) => {
    const wide = Array.from({ length: 9 }, (_, at) => ({
      name: `測地院-${at}-of-a-name-that-goes-on-and-on`,
      doing: "waiting for an earlier update",
      forMs: 90_000 + at,
    }));
    for (const line of progressLines({ ...STANDING, underWay: wide }, width)) {
      expect(widthOf(line)).toBeLessThanOrEqual(width);
    }
  });
});

interface Place {
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly env?: Io["env"];
}

/** A run that is watched by somebody, by a clock that is handed in. */
function open({ isTerminal = true, columns = 60, env = {} }: Place = {}, isQuiet = false) {
  const screen = openScreen(columns);
  let elapsedMs = 0;
  let tick = async () => {};
  const stderr: Output = { write: (text) => screen.write(text), isTerminal, columns };
  const machine = {
    elapsedMs: () => elapsedMs,
    every(_ms: number, action: () => Promise<void>) {
      tick = action;
      return () => (tick = async () => {});
    },
  };
  let answer = (_line: string) => {};
  const ask = (question: string) => {
    stderr.write(question);
    return new Promise<string>((resolve) => (answer = resolve));
  };
  const [first, second] = [new AbortController(), new AbortController()];
  const [signal, ending] = [first.signal, second.signal];
  const stdin = { ask, askUnseen: ask };
  const io = { env, stderr, stdin, machine, signal, ending } as unknown as Io;
  const watched = watch(io, { isQuiet, isVerbose: false });
  return {
    ...watched,
    interrupt: () => (signal.aborted ? second : first).abort(),
    lines: screen.lines,
    answer: (line: string) => answer(line),
    pass: async (ms: number) => {
      for (let left = ms; left > 0; left -= 250) {
        elapsedMs += 250;
        await tick();
      }
    },
  };
}

test("is drawn in place below messages, and leaves nothing behind", async () => {
  const { io, progress, lines, pass, close } = open();
  progress.begin(3);
  progress.at("a.yaml", "live", "a");
  await pass(500);
  expect(lines()).toEqual([]);
  await pass(3_000);
  expect(lines()).toEqual(["0 of 3 portals done", "  a looking at the portal (4 s)"]);
  io.stderr.write("Waiting for somebody.\n");
  await pass(1_000);
  expect(lines()).toEqual([
    "Waiting for somebody.",
    "0 of 3 portals done",
    "  a looking at the portal (5 s)",
  ]);
  progress.end("a.yaml", "done");
  await pass(250);
  expect(lines()).toEqual(["Waiting for somebody.", "1 of 3 portals done"]);
  close();
  expect(lines()).toEqual(["Waiting for somebody."]);
});

test("a question stands alone until it is answered", async () => {
  const { io, progress, lines, pass, answer } = open();
  progress.begin(1);
  progress.at("a.yaml", "sign-in", "a");
  await pass(1_000);
  const asked = io.stdin.askUnseen("Password: ");
  await pass(3_000);
  expect(lines()).toEqual(["Password:"]);
  answer("secret");
  await asked;
  io.stderr.write("\n");
  await pass(250);
  expect(lines()).toEqual(["Password:", "a signing in (4 s)"]);
});

test("a sign-in in progress continues with its step", async () => {
  const { progress, lines, pass } = open();
  progress.begin(1);
  progress.at("a.yaml", "send", "a");
  const back = progress.at("a.yaml", "sign-in");
  await pass(2_000);
  expect(lines()).toEqual(["a signing in (2 s)"]);
  back();
  await pass(250);
  expect(lines()).toEqual(["a sending (2 s)"]);
});

test("a pipeline gets a line every few seconds", async () => {
  const { progress, lines, pass, close } = open({ isTerminal: false, columns: 200 });
  progress.begin(9);
  progress.at("a.yaml", "lock", "a");
  await pass(11_000);
  close();
  expect(lines()).toEqual([
    "0 of 9 portals done; a locking the state (5 s)",
    "0 of 9 portals done; a locking the state (10 s)",
  ]);
});

test("nothing is drawn once all are done, with --quiet, or on a terminal that cannot draw", async () => {
  const done = open();
  done.progress.begin(1);
  done.progress.at("a.yaml", "live", "a");
  await done.pass(2_000);
  done.progress.end("a.yaml", "failed");
  await done.pass(250);
  expect(done.lines()).toEqual([]);
  const quiet = open({}, true);
  quiet.progress.begin(1);
  quiet.progress.at("a.yaml", "live", "a");
  await quiet.pass(20_000);
  expect(quiet.lines()).toEqual([]);
  const dumb = open({ env: { TERM: "dumb" } });
  dumb.progress.begin(1);
  dumb.progress.at("a.yaml", "live", "a");
  await dumb.pass(4_000);
  expect(dumb.lines()).toEqual([]);
});

test("an interrupt reports what is finished, a second one what is left, if there is any", () => {
  const run = open({ columns: 100 });
  run.progress.begin(3);
  run.progress.at("portals/a b.yaml", "send", "GIS");
  run.progress.at("other.yaml", "settle", "Other");
  run.progress.at("third.yaml", "live", "Third");
  // Two requests at once that each sign in first.
  const [one, another] = ["one", "another"].map(() =>
    run.progress.at("other.yaml", "sign-in", "Other"),
  );
  one?.();
  another?.();
  run.interrupt();
  expect(run.lines()).toEqual(["Finishing what was begun; Ctrl-C again stops at once."]);
  run.interrupt();
  expect(run.lines().slice(1).join("\n")).toBe(
    `Stopped at once. What becomes of an update that was under way is unknown:
  GIS: sending
  Other: writing the state
See:
  lintel status 'portals/a b.yaml' other.yaml`,
  );

  for (const step of ["live", "sign-in", "lock", "look"] as const) {
    const quiet = open();
    quiet.progress.begin(1);
    quiet.progress.at("portal.yaml", step);
    quiet.interrupt();
    quiet.interrupt();
    expect(quiet.lines().join("")).toBe("");
  }
});
