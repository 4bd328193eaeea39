// What people name as an old configuration file → its bytes: a file, a folder that holds one, an address, or standard input.
import { readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { aboutFile, type Diagnostic } from "../../diagnostic.js";
import { unreadable } from "../../document/read/bytes.js";
import { Failure, wrongUsage } from "../../failure.js";
import { readFile, reasonOf, statOf } from "../../lib/files.js";
import type { Io } from "../../io.js";
import type { OldFile } from "../../migrate/migrate.js";
import { hostOf, isWebPage } from "../../request.js";
import type { ParsedArguments } from "../command.js";
import type { NETWORK } from "../options.js";
import { openNetwork } from "../../cli/open-run.js";

/** A thousand times what a portal's file needs. */
const LARGEST_OLD_FILE = 40 * 1024 * 1024;

type OldReading = { readonly old: OldFile } | { readonly problem: Diagnostic };

export async function readOldFile(
  named: string,
  io: Io,
  call: ParsedArguments<typeof NETWORK>,
): Promise<OldReading> {
  if (isAddress(named)) {
    const url = addressOfFile(named);
    return { old: { file: url, bytes: await download(url, io, call) } };
  }
  if (named === "-") return bounded("-", await io.stdin.read(LARGEST_OLD_FILE));
  const path = resolve(io.cwd, named);
  const isFolder = statOf(path)?.isDirectory() === true;
  const found = isFolder ? findInFolder(path, named, io.cwd) : named;
  try {
    const limits = { largest: LARGEST_OLD_FILE, links: "followed" } as const;
    return bounded(found, readFile(resolve(io.cwd, found), limits));
  } catch (error) {
    const problem = unreadable(found, error);
    if (problem.code !== "file-not-found") return { problem };
    const help = `Check the spelling, and the folder you are in. Portals have it here, and a folder on the way may be named:\n${LISTED_PLACES}`;
    return { problem: { ...problem, help } };
  }
}

export function isAddress(named: string): boolean {
  return /^https?:\/\//i.test(named);
}

function bounded(file: string, bytes: Uint8Array): OldReading {
  if (bytes.length > 0 && bytes.length <= LARGEST_OLD_FILE) return { old: { file, bytes } };
  const help = "A portal's configuration file has some 30 kB. Check that this is the right file.";
  if (bytes.length === 0) {
    return { problem: aboutFile("empty-file", file, `"${file}" is empty.`, help) };
  }
  const message = `"${file}" is larger than ${LARGEST_OLD_FILE / 1024 / 1024} MiB.`;
  return { problem: aboutFile("file-too-large", file, message, help) };
}

const PLACES = ["framework/webapps", "webapps"].flatMap((webapps) =>
  ["js", "js/esri"].map(
    (js) => `customizations/*/${webapps}/arcgis#home/${js}/arcgisonline/config.js`,
  ),
);

const LISTED_PLACES = PLACES.map((each) => `  ${each}`).join("\n");

/** The folder may be any on the way to the file. */
function findInFolder(folder: string, named: string, cwd: string): string {
  const paths = PLACES.map((place) => place.split("/")).flatMap((parts) =>
    parts.flatMap((_, at) => matching(folder, parts.slice(at))),
  );
  const [only, ...more] = [...new Set(paths)].map((path) => relative(cwd, path));
  if (only === undefined) {
    throw new Failure(
      "wrong-usage",
      `The folder "${named}" holds no configuration file where portals have it.`,
      `Name the file itself. Portals have it here:\n${LISTED_PLACES}`,
    );
  }
  if (more.length === 0) return only;
  throw wrongUsage(
    `The folder "${named}" holds ${more.length + 1} configuration files.`,
    `Name one of them:\n${[only, ...more].map((each) => `  ${each}`).join("\n")}`,
  );
}

function matching(folder: string, [first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return [];
  const names = first === "*" ? foldersIn(folder) : [first];
  return names.flatMap((name) => {
    const path = join(folder, name);
    if (rest.length > 0) return matching(path, rest);
    return statOf(path)?.isFile() ? [path] : [];
  });
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .toSorted();
  } catch (error) {
    // Most of the places are looked for where they are not.
    if (reasonOf(error) === undefined) throw error;
    return [];
  }
}

/** A portal's address stands for its file. */
function addressOfFile(named: string): string {
  if (!URL.canParse(named)) {
    throw wrongUsage(`"${named}" is no address.`, "Check the host and the port.");
  }
  const { origin, pathname } = new URL(named);
  if (pathname.endsWith(".js")) return origin + pathname;
  const portal = pathname
    .replace(/\/+$/, "")
    .replace(/\/(?:sharing(?:\/rest)?|home(?:\/.*)?)$/, "");
  return `${origin}${portal}/home/js/arcgisonline/config.js`;
}

async function download(
  url: string,
  io: Io,
  call: ParsedArguments<typeof NETWORK>,
): Promise<Uint8Array> {
  const request = { url, repeats: "freely" } as const;
  await using network = openNetwork(io, call, "anonymous");
  const answer = await network.http.call(request);
  if (answer.status === 200 && !isWebPage(answer)) return Buffer.from(answer.text);
  throw new Failure(
    "answer-not-understood",
    `"${hostOf(request)}" has no configuration file at "${new URL(url).pathname}" (${answer.status}).`,
    "From 11.0 on portals have none. Name the file on the disk of the old portal, or a copy of it.",
  );
}
