// A run's standard error → the same, with how far the run is: redrawn in place in a terminal, a line now and then elsewhere.
import type { Io, Output } from "../../io.js";
import { progressLines, type Standing } from "../../report/text/progress.js";
import { widthOf } from "../../report/text/width.js";
import { STEPS, type Progress, type Step } from "../../progress.js";
import { oneLine } from "../../text.js";

export interface Watched {
  /** What it writes to standard error, and asks, stands above what is drawn. */
  readonly io: Io;
  readonly progress: Progress;
  /** Nothing is drawn any more, and nothing that was drawn is left. */
  readonly close: () => void;
}

interface Watching {
  readonly isQuiet: boolean;
  /** Each step of each portal is a line. */
  readonly isVerbose: boolean;
}

/** Drawn after this, so that what ends soon draws nothing. */
const FIRST_MS = 700;
const NARROWEST = 20;
/** Of a terminal that does not say how wide it is. */
const USUAL = 80;
const REDRAW_MS = 250;
const LINE_MS = 5_000;

export function watch(io: Io, { isQuiet, isVerbose }: Watching): Watched {
  const { stderr, stdin, machine } = io;
  const isDrawn = stderr.isTerminal && io.env["TERM"] !== "dumb";
  const run = openRun(() => machine.elapsedMs());
  const drawing = openDrawing(stderr);
  function tellLine(): void {
    const standing = run.standing();
    if (standing)
      stderr.write(
        `${progressLines(standing, Infinity)
          .map((line) => line.trim())
          .join("; ")}\n`,
      );
  }
  let linesTold = 0;
  const stop = isQuiet
    ? () => {}
    : machine.every(REDRAW_MS, async () => {
        const elapsedMs = run.elapsedMs();
        if (questions > 0) return;
        if (isDrawn) {
          if (elapsedMs >= FIRST_MS) drawing.draw(run.standing());
          return;
        }
        const due = Math.floor(elapsedMs / LINE_MS);
        if (due < linesTold) linesTold = 0;
        if (due > linesTold) tellLine();
        linesTold = due;
      });
  // A line that is being typed stays as it is.
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
    progress: isVerbose ? told(run.progress, output) : run.progress,
    close: () => {
      stop();
      drawing.clear();
    },
  };
}

/** The lines that stand last in a terminal, and are drawn again where they stand. */
function openDrawing(stderr: Output) {
  let drawn: readonly string[] = [];
  function clear(): void {
    if (drawn.length === 0) return;
    const columns = stderr.columns ?? Infinity;
    // A terminal that has become narrower has wrapped the lines.
    const rows = drawn.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)),
      0,
    );
    drawn = [];
    stderr.write(`\r${rows > 1 ? `\u001b[${rows - 1}A` : ""}\u001b[J`);
  }
  return {
    clear,
    draw(standing: Standing | undefined): void {
      const width = Math.max(NARROWEST, (stderr.columns ?? USUAL) - 1);
      const lines = standing ? progressLines(standing, width) : [];
      if (lines.join("\n") === drawn.join("\n")) return;
      clear();
      drawn = lines;
      stderr.write(drawn.join("\n"));
    },
  };
}

/** The portals of a run, as they are told of. */
function openRun(elapsed: () => number) {
  let [portals, failed, done, beganMs] = [0, 0, 0, 0];
  const changing = new Set<string>();
  const underWay = new Map<string, { name: string; step: Step; sinceMs: number }>();
  const progress: Progress = {
    begin(count) {
      [portals, failed, done, beganMs] = [count, 0, 0, elapsed()];
      changing.clear();
      underWay.clear();
    },
    at(file, step, name) {
      const before = underWay.get(file);
      underWay.set(file, { name: name ?? before?.name ?? file, step, sinceMs: elapsed() });
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
  /** Undefined where nothing is under way, as when a person is asked. */
  const standing = (): Standing | undefined => {
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
  return { progress, elapsedMs, standing };
}

function told(progress: Progress, stderr: Output): Progress {
  return {
    ...progress,
    at(file, step, name) {
      // Of requests, those to sign in among them, lines tell already.
      if (step !== "sign-in") stderr.write(`${oneLine(name ?? file)}: ${STEPS[step]}\n`);
      return progress.at(file, step, name);
    },
  };
}
