// The words of a command line → one command, its reports, and an exit status.
import { resolve } from "node:path";
import packageFacts from "../../package.json" with { type: "json" };
import { readArguments, readDestinations } from "../commands/arguments.js";
import type { Destination, Format, Result, Spec } from "../commands/command.js";
import { commandHelp, overview } from "../commands/help.js";
import { COMMANDS, findCommand } from "../commands/list.js";
import { didYouMean } from "../diagnostic.js";
import { asFailure, EXIT, Failure, type Exit } from "../failure.js";
import type { Io } from "../io.js";
import { outcomeOfFailure, type Outcome } from "../outcome.js";
import { paintFor, PLAIN, type Paint } from "../report/text/paint.js";
import { failureText } from "../report/text/diagnostic.js";
import { zoneOf } from "../text.js";

export async function main(words: readonly string[], io: Io): Promise<Exit> {
  const [name, ...rest] = words;
  const paint = paintFor({ isColoured: isColoured(words, io), zone: zoneOf(io) });
  if (name === undefined || name === "--help" || name === "-h") {
    io.stdout.write(overview());
    return EXIT.done;
  }
  if (name === "--version" || name === "-V") {
    io.stdout.write(`${packageFacts.version}\n`);
    return EXIT.done;
  }
  const spec = findCommand(name);
  if (!spec) {
    const failure = unknownCommand(name);
    io.stderr.write(failureText(failure, paint));
    return failure.exit;
  }
  return await call(spec, rest, io, paint);
}

async function call(spec: Spec, words: readonly string[], io: Io, paint: Paint): Promise<Exit> {
  let destinations = wantedAnyway(spec, words);
  let isWriting = false;
  try {
    const args = readArguments(spec, words);
    if (args.options["help"]) {
      io.stdout.write(commandHelp(spec));
      return EXIT.done;
    }
    destinations = readDestinations(spec, args);
    isWriting = true;
    await assertPlaces(destinations, io);
    isWriting = false;
    const { run } = await spec.load();
    const result = await run(io, { ...args, destinations, paint });
    isWriting = true;
    const isQuiet = spec.isOnlyAboutProblems === true && args.options["quiet"] === true;
    await report(result, destinations, io, paint, isQuiet);
    return result.outcome.exit;
  } catch (error) {
    const failure = asFailure(error, io.signal.aborted);
    const { cause } = failure;
    const isBug = failure.exit === EXIT.bug && cause instanceof Error;
    if (io.env["LINTEL_DEBUG"] && isBug) io.stderr.write(`${cause.stack}\n`);
    const outcome = outcomeOfFailure(spec.name, failure);
    io.stderr.write(failureText(failure, paint));
    // A report that could not be written once is not tried again.
    const documents = destinations.filter(
      ({ format, file }) => format !== "text" && (file === undefined || !isWriting),
    );
    try {
      await report({ outcome, text: () => "" }, documents, io, paint, false);
    } catch (second) {
      io.stderr.write(failureText(asFailure(second, io.signal.aborted), paint));
    }
    return outcome.exit;
  }
}

/** A call that cannot be understood still owes its JSON document to whoever asked for one. */
function wantedAnyway(spec: Spec, words: readonly string[]): Destination[] {
  const wantsJson = words.some(
    (word, at) =>
      /^(--output|-o)=?json$/.test(word) ||
      (/^(--output|-o)$/.test(words[at - 1] ?? "") && word === "json"),
  );
  return wantsJson && spec.formats.includes("json") ? [{ format: "json" }] : [];
}

async function assertPlaces(destinations: readonly Destination[], io: Io): Promise<void> {
  const files = destinations.flatMap(({ file }) => file ?? []);
  if (files.length === 0) return;
  const { assertPlaceFor } = await import("../commands/result/write-report.js");
  for (const file of files) assertPlaceFor(file, io);
}

async function report(
  result: Result,
  destinations: readonly Destination[],
  io: Io,
  paint: Paint,
  isQuiet: boolean,
): Promise<void> {
  const { outcome } = result;
  // Files first: where one cannot be written, standard output has not spoken of success yet.
  const inOrder = destinations.toSorted(
    (one, other) => Number(one.file === undefined) - Number(other.file === undefined),
  );
  for (const { format, file } of inOrder) {
    const isWanted = !isQuiet || outcome.exit !== EXIT.done || outcome.diagnostics.length > 0;
    if (format === "text" && !isWanted) continue;
    const written =
      format === "text"
        ? result.text(file === undefined ? paint : PLAIN)
        : await formatted(format, result, io);
    const pieces = typeof written === "string" ? [written] : written;
    if (file !== undefined) {
      assertNoInput(file, outcome, io);
      const { writeReport } = await import("../commands/result/write-report.js");
      await writeReport(file, pieces, io);
    } else for (const piece of pieces) io.stdout.write(piece);
  }
}

async function formatted(
  format: Exclude<Format, "text">,
  result: Result,
  io: Io,
): Promise<string | Iterable<string>> {
  const { outcome } = result;
  switch (format) {
    case "json":
      return (await import("../report/data/json.js")).jsonPieces(outcome);
    case "sarif":
      return (await import("../report/data/sarif.js")).sarifReport(outcome, packageFacts.version);
    case "junit":
      return (await import("../report/data/junit.js")).junitReport(outcome);
    case "github":
      return (await import("../report/data/github.js")).githubReport(outcome);
    case "gitlab":
      return (await import("../report/data/gitlab.js")).gitlabReport(outcome);
    case "markdown":
      return result.markdown
        ? await result.markdown()
        : (await import("../report/markdown/markdown.js")).markdownReport([], outcome);
    case "html": {
      const { madeBy } = await import("../commands/result/made.js");
      const made = await madeBy(io, outcome);
      return result.html
        ? await result.html(made)
        : (await import("../report/html/html.js")).htmlReport([], outcome, made);
    }
    default:
      throw format satisfies never;
  }
}

/** A slip of the shell's history must not cost the file that the report is about. */
function assertNoInput(file: string, { files = [] }: Outcome, { cwd }: Io): void {
  if (!files.some((each) => resolve(cwd, each) === resolve(cwd, file))) return;
  throw new Failure(
    "wrong-usage",
    `The report would take the place of "${file}", which it is about.`,
    "Name another file for it.",
  );
}

function unknownCommand(name: string): Failure {
  const names = COMMANDS.map((each) => each.name);
  return new Failure(
    "wrong-usage",
    `There is no command "${name}".`,
    didYouMean(name, names) ?? `Commands: ${names.join(", ")}.`,
  );
}

/** A flag wins over NO_COLOR, that over FORCE_COLOR, and that over what the terminal is. */
function isColoured(words: readonly string[], { env, stdout }: Io): boolean {
  if (words.includes("--no-color") || env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"]) return env["FORCE_COLOR"] !== "0";
  return stdout.isTerminal && env["TERM"] !== "dumb";
}
