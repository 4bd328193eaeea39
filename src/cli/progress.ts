// Shows the progress of a run on standard error: redrawn in place in a terminal, elsewhere as occasional lines.
import type { Io, Output } from "../io.js";
import { progressLines, type RunProgress } from "./progress-lines.js";
import { widthOf } from "../report/text-layout.js";
import { STEPS, type Progress, type Step } from "../progress.js";
import { oneLine, shellWord } from "../lib/text.js";

export interface Watched {
  /** Its output and prompts appear above the progress lines. */
  readonly io: Io;
  readonly progress: Progress;
  /** Stops and clears the progress lines. */
  readonly close: () => void;
}

interface Watching {
  readonly isQuiet: boolean;
  /** Prints each step of each portal on its own line. */
  readonly isVerbose: boolean;
}

/** The delay before the first progress lines, so that short runs show none. */
const FIRST_MS = 700;
const NARROWEST = 20;
/** The width if a terminal does not report its own. */
const USUAL = 80;
const REDRAW_MS = 250;
const LINE_MS = 5_000;

export function watch(io: Io, { isQuiet, isVerbose }: Watching): Watched {
  const { stderr, stdin, machine } = io;
  const isDrawn = stderr.isTerminal && io.env["TERM"] !== "dumb";
  const run = countPortals(() => machine.elapsedMs());
  const drawing = openDrawing(stderr);
  function writeLine(): void {
    const status = run.status();
    if (status)
      stderr.write(
        `${progressLines(status, Infinity)
          .map((line) => line.trim())
          .join("; ")}\n`,
      );
  }
  let linesWritten = 0;
  const stop = isQuiet
    ? () => {}
    : machine.every(REDRAW_MS, async () => {
        const elapsedMs = run.elapsedMs();
        if (questions > 0) return;
        if (isDrawn) {
          if (elapsedMs >= FIRST_MS) drawing.draw(run.status());
          return;
        }
        const due = Math.floor(elapsedMs / LINE_MS);
        if (due < linesWritten) linesWritten = 0;
        if (due > linesWritten) writeLine();
        linesWritten = due;
      });
  // A prompt must not be overwritten.
  let questions = 0;
  const asking = async <T>(ask: () => Promise<T>): Promise<T> => {
    questions++;
    drawing.clear();
    try {
      return await ask();
    } finally {
      questions--;
    }
  };
  const output: Output = {
    write: (text) => {
      drawing.clear();
      stderr.write(text);
    },
    isTerminal: stderr.isTerminal,
    get columns() {
      return stderr.columns;
    },
  };
  const unwatch = reportInterrupts(io, output, run.begun);
  return {
    io: {
      ...io,
      stderr: output,
      stdin: {
        ...stdin,
        ask: (question) => asking(() => stdin.ask(question)),
        askUnseen: (question) => asking(() => stdin.askUnseen(question)),
      },
    },
    progress: isVerbose ? logged(run.progress, output) : run.progress,
    close: () => {
      stop();
      unwatch();
      drawing.clear();
    },
  };
}

/** Steps that continue after an interrupt, because a portal or a state would be incomplete. */
const FINISHED: readonly Step[] = ["journal", "send", "prove", "settle"];

interface Begun {
  readonly file: string;
  readonly name: string;
  readonly step: Step;
}

/** The first interrupt lets a portal finish, the second does not. Returns a function that stops reporting. */
function reportInterrupts(
  { signal, ending }: Io,
  stderr: Output,
  begun: () => readonly Begun[],
): () => void {
  const onFirst = () => {
    if (begun().length === 0) return;
    stderr.write("Finishing what was begun; Ctrl-C again stops at once.\n");
  };
  const onSecond = () => {
    const left = begun();
    if (left.length === 0) return;
    const each = left.map(({ name, step }) => `  ${oneLine(name)}: ${STEPS[step]}\n`);
    const words = left.map(({ file }) => shellWord(file)).join(" ");
    stderr.write(
      `Stopped at once. What becomes of an update that was under way is unknown:\n${each.join("")}See:\n  lintel status ${words}\n`,
    );
  };
  signal.addEventListener("abort", onFirst);
  ending?.addEventListener("abort", onSecond);
  return () => {
    signal.removeEventListener("abort", onFirst);
    ending?.removeEventListener("abort", onSecond);
  };
}

/** The last lines of a terminal, redrawn in place. */
function openDrawing(stderr: Output) {
  let drawn: readonly string[] = [];
  function clear(): void {
    if (drawn.length === 0) return;
    const columns = stderr.columns ?? Infinity;
    // In a terminal that became narrower, the lines have wrapped.
    const rows = drawn.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)),
      0,
    );
    drawn = [];
    stderr.write(`\r${rows > 1 ? `\u001b[${rows - 1}A` : ""}\u001b[J`);
  }
  return {
    clear,
    draw(status: RunProgress | undefined): void {
      const width = Math.max(NARROWEST, (stderr.columns ?? USUAL) - 1);
      const lines = status ? progressLines(status, width) : [];
      if (lines.join("\n") === drawn.join("\n")) return;
      clear();
      drawn = lines;
      stderr.write(drawn.join("\n"));
    },
  };
}

interface Standpoint {
  readonly name: string;
  readonly step: Step;
  readonly sinceMs: number;
  /** The portal's step before a sign-in. */
  readonly before?: Standpoint | undefined;
}

/** Counts the portals of a run by their progress. */
function countPortals(elapsed: () => number) {
  let [portals, failed, done, beganMs] = [0, 0, 0, 0];
  const changing = new Set<string>();
  const underWay = new Map<string, Standpoint>();
  const progress: Progress = {
    begin(count) {
      [portals, failed, done, beganMs] = [count, 0, 0, elapsed()];
      changing.clear();
      underWay.clear();
    },
    at(file, step, name) {
      const now = underWay.get(file);
      // Two parallel requests may both sign in: both return to the earlier step.
      const before = step === "sign-in" && now?.step === step ? now.before : now;
      const own = { name: name ?? now?.name ?? file, step, sinceMs: elapsed() };
      underWay.set(file, step === "sign-in" ? { ...own, before } : own);
      return () => void (before && underWay.set(file, before));
    },
    changes: (file) => void changing.add(file),
    end(file, how) {
      underWay.delete(file);
      done++;
      if (how === "failed") failed++;
    },
  };
  const elapsedMs = () => elapsed() - beganMs;
  /** Undefined if no portal is running, such as during a prompt. */
  const status = (): RunProgress | undefined => {
    if (done >= portals) return undefined;
    const now = elapsed();
    const each = [...underWay.values()].map(({ name, step, sinceMs }) => ({
      name,
      doing: STEPS[step],
      forMs: now - sinceMs,
    }));
    return {
      portals,
      done,
      failed,
      changing: changing.size,
      elapsedMs: elapsedMs(),
      underWay: each,
    };
  };
  const begun = (): readonly Begun[] =>
    [...underWay]
      .map(([file, { name, step, before }]) => ({ file, name, step: before?.step ?? step }))
      .filter(({ step }) => FINISHED.includes(step));
  return { progress, elapsedMs, status, begun };
}

function logged(progress: Progress, stderr: Output): Progress {
  return {
    ...progress,
    at(file, step, name) {
      // Requests, including sign-ins, have their own log lines.
      if (step !== "sign-in") stderr.write(`${oneLine(name ?? file)}: ${STEPS[step]}\n`);
      return progress.at(file, step, name);
    },
  };
}
