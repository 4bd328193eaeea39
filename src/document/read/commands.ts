// Reads which programs the machine's owner lists for secrets, and refuses a secret for any other host.
import { platform } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { formatPlace, type Diagnostic } from "../../diagnostic.js";
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
import { repositoryOf } from "./repository.js";
import { childOf, itemsOf, textOf, type Node } from "./tree.js";

export const CONFIG = "LINTEL_CONFIG";
const DEFAULT_LIMIT = "30s";

interface Machine {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Who asks for a secret, and whom it or the token made with it would go to. */
interface Asking {
  readonly file: string;
  readonly key: string;
  readonly service: URL;
  readonly portal: URL;
}

export function commandNamed(name: string, machine: Machine, asking: Asking): SecretCommand {
  const paths = configurationsOf(machine);
  for (const path of paths) {
    const node = childOf(readConfiguration(path, machine, asking), name);
    if (node) return commandOf(node, { name, config: path }, asking, machine);
  }
  throw new Failure(
    "credential-missing",
    `The configuration of this machine lists no command "${name}".`,
    `List it outside the repository, in ${paths.map(shellWord).join(" or ")}. ${CONFIG} names another file. See:\n  lintel help credentials`,
  );
}

/** The first that lists a command counts. */
function configurationsOf({ cwd, env }: Machine): string[] {
  const named = env[CONFIG];
  if (named) return [resolve(cwd, named)];
  const own = configurationFolder({ env });
  const system = platform() === "win32" ? (env["ProgramData"] ?? "C:\\ProgramData") : "/etc";
  return [...(own ? [own] : []), join(system, "lintel")].map((folder) =>
    join(folder, "config.yaml"),
  );
}

/** Its commands; undefined where there is no such file, unless LINTEL_CONFIG names it. */
function readConfiguration(path: string, machine: Machine, asking: Asking): Node | undefined {
  const stat = statOf(path);
  if (!stat && !machine.env[CONFIG]) return undefined;
  assertOutside(path, `The configuration "${path}"`, machine, asking);
  // Whoever writes it decides which programs run.
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
  const texts = (key: string) => itemsOf(childOf(node, key)).map((item) => textOf(item) ?? "");
  const hosts = texts("hosts").map((entry) => hostIn(entry, name, config));
  const refused = [asking.service, asking.portal].find((to) => !isListed(to, hosts));
  if (refused) {
    throw new Failure(
      "host-not-allowed",
      `The secret of the command "${name}" may not go to "${entryFor(refused)}".`,
      `Correct the address, or add the host to "commands.${name}.hosts" in:\n  ${shellWord(config)}`,
    );
  }
  const [path = "", ...words] = texts("run");
  if (!isAbsolute(path)) {
    const help = `Write its whole path, as this prints it:\n  command -v ${shellWord(path)}`;
    throw unusable(
      `"commands.${name}.run" in "${config}" must begin with the path of a program.`,
      help,
    );
  }
  assertOutside(path, `The program of the command "${name}"`, machine, asking);
  // A program would take it for an option.
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

/** A change under review could write it there. */
function assertOutside(path: string, what: string, { cwd }: Machine, { file }: Asking): void {
  const repositories = [resolve(cwd, file), join(cwd, "-")].flatMap((each) => {
    const root = repositoryOf(each);
    return root === undefined ? [] : [realPathOf(root) ?? root];
  });
  // A link counts where it stands, too.
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
