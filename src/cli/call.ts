// Runs one command: parses its arguments, writes its reports, and returns the exit status.
import type { CommandSpec, Destination } from "../commands/command.js";
import { didYouBegin } from "../diagnostic.js";
import { caught, EXIT, wrongUsage, type Exit, type Failure } from "../failure.js";
import type { Io } from "../io.js";
import { outcomeOfFailure } from "../outcome.js";
import { failureText } from "../report/problem-text.js";
import { type Styles, stylesFor } from "../report/styles.js";
import { zoneOf } from "../lib/text.js";
import { ALL, FROM_OTHER_TOOLS, NAMES, specAt } from "./all.js";

export async function call(name: string, words: readonly string[], io: Io): Promise<Exit> {
  const styles = stylesOf(words, io);
  const listed = ALL.find((each) => each.name === name);
  const { parseWords, readArguments, readDestinations } = await import("./parse.js");
  const { assertPlaces, writeReports } = await import("./destinations.js");
  let destinations: readonly Destination[] = [];
  let isAtReports = false;
  try {
    if (!listed) {
      ({ destinations } = readDestinations(parseWords(name, UNKNOWN, [name, ...words])));
      throw noCommand(name, words);
    }
    const command = await listed.load();
    const { operands } = parseWords(name, command.spec, words);
    const own = specAt(listed, command.spec, operands);
    const parsed = parseWords(own.name, own.spec, words);
    ({ destinations } = readDestinations(parsed));
    const given = { ...readArguments(parsed), styles };
    if (given.options["help"]) {
      const { commandHelp } = await import("./help.js");
      io.stdout.write(commandHelp({ ...listed, ...own }, own.spec, styles));
      return EXIT.done;
    }
    isAtReports = true;
    await assertPlaces(destinations, io);
    isAtReports = false;
    const result = await command.run(io, given);
    isAtReports = true;
    const isQuiet = given.options["quiet"] === true;
    await writeReports(result, destinations, io, styles, { isQuiet });
    return result.outcome.exit;
  } catch (error) {
    const failure = caught(error, io);
    const outcome = outcomeOfFailure(name, failure);
    io.stderr.write(failureText(failure, styles));
    // A report that could not be written is not tried again.
    const documents = destinations.filter(
      ({ format, file }) => format !== "text" && (file === undefined || !isAtReports),
    );
    try {
      // Any argument may be a file.
      await writeReports({ outcome, text: () => "" }, documents, io, styles, {
        inputs: [name, ...words],
      });
    } catch (second) {
      io.stderr.write(failureText(caught(second, io), styles));
    }
    return outcome.exit;
  }
}

/** Replaces a command that does not exist, to find the destinations of its reports. */
const UNKNOWN: CommandSpec = { operands: "", options: {}, formats: ["text", "json"], examples: [] };

function noCommand(name: string, words: readonly string[]): Failure {
  const meant = name.startsWith("-") && words.find((each) => NAMES.includes(each));
  if (meant) {
    const help = `Write:\n  lintel ${meant} ${name} …`;
    return wrongUsage(`Option "${name}" must follow the command.`, help);
  }
  const option =
    name.startsWith("-") && didYouBegin(`--${name.replace(/^-+/, "")}`, ["--help", "--version"]);
  if (option) return wrongUsage(`Unknown option "${name}".`, option);
  const help =
    FROM_OTHER_TOOLS.get(name) ?? didYouBegin(name, NAMES) ?? "List the commands:\n  lintel --help";
  return wrongUsage(`Unknown command "${name}".`, help);
}

/** Styles for standard output. */
export function stylesOf(words: readonly string[], io: Io): Styles {
  const { isTerminal, columns } = io.stdout;
  return stylesFor({
    isColoured: isColoured(words, io),
    zone: zoneOf(io),
    ...(isTerminal && { columns }),
  });
}

/** A flag overrides NO_COLOR, which overrides FORCE_COLOR, which overrides the terminal's abilities. */
function isColoured(words: readonly string[], { env, stdout }: Io): boolean {
  if (words.includes("--no-color") || env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"]) return env["FORCE_COLOR"] !== "0";
  return stdout.isTerminal && env["TERM"] !== "dumb";
}
