// Reads the commands that a machine's owner lists for secrets, and refuses a secret for any other host.
import { platform } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { didYouMean, formatPlace, type Diagnostic } from "../../diagnostic.js";
import { Failure } from "../../failure.js";
import { entryFor, isListed, parseHosts, type ListedHost } from "../../hosts.js";
import { configurationFolder } from "../../io.js";
import { statOf } from "../../lib/files.js";
import { pathWithin, realPathOf, waysTo } from "../../lib/paths.js";
import { shellWord } from "../../lib/text.js";
import { spanMs } from "../../moment.js";
import type { SecretCommand } from "../../sign-in.js";
import { wrongConfiguration } from "../check/configuration.js";
import { readSource } from "./bytes.js";
import { parse } from "./parse.js";
import { commandIn, PORTAL_KEY } from "./references.js";
import { repositoryOf } from "./repository.js";
import { childOf, diagnose, entriesOf, itemsOf, textOf, type Node } from "./tree.js";

export const CONFIG = "LINTEL_CONFIG";
const DEFAULT_LIMIT = "30s";

interface Machine {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What asks for a secret, and the hosts that would receive it or its token. */
interface Asking {
  readonly file: string;
  readonly key: string;
  readonly service: URL;
  readonly portal: URL;
}

export function commandNamed(name: string, machine: Machine, asking: Asking): SecretCommand {
  const { node, config, known } = findCommand(name, machine, asking);
  if (node) return commandOf(node, { name, config }, asking, machine);
  const { message, help } = notListed(name, known, machine);
  // A machine that lists commands is meant to sign in; others may run without.
  throw new Failure(known ? "command-not-listed" : "credential-missing", message, help);
}

/** Checks the commands of a file without running them. */
export function commandProblems(root: Node, file: string, machine: Machine): Diagnostic[] {
  return [...entriesOf(childOf(root, "signIn")).values()].flatMap(({ value }) => {
    const name = commandIn(textOf(value) ?? "", PORTAL_KEY);
    // The portal's key is known only in a run.
    if (name === undefined || name.includes(PORTAL_KEY)) return [];
    try {
      const { node, config, known } = findCommand(name, machine, { file });
      if (node) return unlistedHosts(root, node, { name, config });
      if (!known) return [];
      const { message, help } = notListed(name, known, machine);
      return [diagnose("command-not-listed", value, message, help)];
    } catch (error) {
      // An unusable configuration fails runs that need it, but not a check.
      if (error instanceof Failure) return [];
      throw error;
    }
  });
}

/** `known` are the listed names; undefined without a configuration. */
function findCommand(name: string, machine: Machine, asking: Pick<Asking, "file">) {
  let known: string[] | undefined;
  for (const config of configurationsOf(machine)) {
    const commands = readConfiguration(config, machine, asking);
    const node = childOf(commands, name);
    if (node) return { node, config };
    if (commands) known = [...(known ?? []), ...entriesOf(commands).keys()];
  }
  return { config: "", known };
}

function notListed(name: string, known: readonly string[] = [], machine: Machine) {
  const meant = didYouMean(name, known);
  const places = configurationsOf(machine).map(shellWord).join(" or ");
  return {
    message: `The configuration of this machine lists no command "${name}".`,
    help: `${meant ? `${meant} Or list` : "List"} it outside the repository, in ${places}. ${CONFIG} names another file. See:\n  lintel help credentials`,
  };
}

function unlistedHosts(
  root: Node,
  command: Node,
  { name, config }: Pick<SecretCommand, "name" | "config">,
): Diagnostic[] {
  const hosts = hostsOf(command, { name, config });
  return ["portal", "signIn"].flatMap((part) => {
    const node = childOf(childOf(root, part), "url");
    const url = textOf(node) ?? "";
    const address = URL.canParse(url) ? new URL(url) : undefined;
    if (!node || !address || isListed(address, hosts)) return [];
    const message = `"${part}.url" names "${entryFor(address)}", and the secret of the command "${name}" may not go there.`;
    return [diagnose("host-not-listed", node, message, hostHelp(name, config))];
  });
}

function hostsOf(
  command: Node,
  { name, config }: Pick<SecretCommand, "name" | "config">,
): ListedHost[] {
  const entries = itemsOf(childOf(command, "hosts")).map((item) => textOf(item) ?? "");
  return entries.map((entry) => hostIn(entry, name, config));
}

function hostHelp(name: string, config: string): string {
  return `Correct the address, or add the host to "commands.${name}.hosts" in:\n  ${shellWord(config)}`;
}

/** The first configuration with commands counts. */
function configurationsOf({ cwd, env }: Machine): string[] {
  const named = env[CONFIG];
  if (named) return [resolve(cwd, named)];
  const own = configurationFolder({ env });
  const system = platform() === "win32" ? (env["ProgramData"] ?? "C:\\ProgramData") : "/etc";
  return [...(own ? [own] : []), join(system, "lintel")].map((folder) =>
    join(folder, "config.yaml"),
  );
}

/** Its commands; undefined without the file, unless LINTEL_CONFIG names it. */
function readConfiguration(
  path: string,
  machine: Machine,
  asking: Pick<Asking, "file">,
): Node | undefined {
  const stat = statOf(path);
  if (!stat && !machine.env[CONFIG]) return undefined;
  assertOutside(path, `The configuration "${path}"`, machine, asking);
  // Anyone who can write it decides which programs run.
  if (stat && platform() !== "win32" && (stat.mode & 0o002) !== 0) {
    const help = `Keep it to its owner:\n  chmod o-w ${shellWord(path)}`;
    throw unusable(`Every user of this machine can write to "${path}".`, help);
  }
  const { source, problem } = readSource({ file: path, cwd: machine.cwd });
  if (!source) throw unusableAt(problem);
  const { root, problems } = parse(source);
  const [wrong] = root && problems.length === 0 ? wrongConfiguration(root) : problems;
  if (wrong) throw unusableAt(wrong);
  return childOf(root, "commands");
}

function commandOf(
  node: Node,
  { name, config }: Pick<SecretCommand, "name" | "config">,
  asking: Asking,
  machine: Machine,
): SecretCommand {
  const hosts = hostsOf(node, { name, config });
  const refused = [asking.service, asking.portal].find((to) => !isListed(to, hosts));
  if (refused) {
    throw new Failure(
      "host-not-allowed",
      `The secret of the command "${name}" may not go to "${entryFor(refused)}".`,
      hostHelp(name, config),
    );
  }
  const [path = "", ...words] = itemsOf(childOf(node, "run")).map((item) => textOf(item) ?? "");
  if (!isAbsolute(path)) {
    const help = `Write its whole path, as this prints it:\n  command -v ${shellWord(path)}`;
    throw unusable(
      `"commands.${name}.run" in "${config}" must begin with the path of a program.`,
      help,
    );
  }
  assertOutside(path, `The program of the command "${name}"`, machine, asking);
  // A program would read it as an option.
  if (asking.key.startsWith("-")) {
    throw unusable(`The key "${asking.key}" of the portal begins with "-".`, "Correct portal.url.");
  }
  const limit = textOf(childOf(node, "timeout")) ?? DEFAULT_LIMIT;
  const own = words.map((word) => word.replaceAll("${portal.key}", asking.key));
  return { name, config, program: [path, ...own], limitMs: spanMs(limit) };
}

function hostIn(entry: string, name: string, config: string): ListedHost {
  try {
    const [host, ...more] = parseHosts(entry);
    if (host && more.length === 0) return host;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  const help =
    "Write hosts as LINTEL_ALLOWED_HOSTS has them, such as gis.example.com or *.example.com.";
  throw unusable(
    `"commands.${name}.hosts" in "${config}" holds "${entry}", which is no host.`,
    help,
  );
}

/** A change under review could write a configuration inside the repository. */
function assertOutside(
  path: string,
  what: string,
  { cwd }: Machine,
  { file }: Pick<Asking, "file">,
): void {
  const repositories = [resolve(cwd, file), join(cwd, "-")].flatMap((each) => {
    const root = repositoryOf(each);
    return root === undefined ? [] : [realPathOf(root) ?? root];
  });
  // A link in the repository counts, too.
  const ways = waysTo(path);
  const isWithin = (root: string) => ways.some((way) => pathWithin(root, way) !== undefined);
  if (!repositories.some(isWithin)) return;
  throw unusable(
    `${what} lies in the repository of the files.`,
    "Keep it outside, where no change under review can write.",
  );
}

function unusable(message: string, help: string): Failure {
  return new Failure("config-not-usable", message, help);
}

function unusableAt(problem: Diagnostic): Failure {
  return unusable(`${formatPlace(problem)}: ${problem.message}`, problem.help);
}
