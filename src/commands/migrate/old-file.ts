// Reads an old configuration file: by its path, from a folder above it, from the portal, or from standard input.
import { readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { openNetwork } from "../../cli/open-run.js";
import { aboutFile, type Diagnostic } from "../../diagnostic.js";
import { unreadable } from "../../document/read/bytes.js";
import { Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { readFile, statOf } from "../../lib/files.js";
import type { OldFile } from "../../migrate/migrate.js";
import { hostOf, isWebPage } from "../../request.js";
import type { ParsedArguments } from "../command.js";
import type { NETWORK } from "../options.js";

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
  try {
    const isFolder = statOf(resolve(io.cwd, named))?.isDirectory() === true;
    const file = isFolder ? findInFolder(named, io.cwd) : named;
    const limits = { largest: LARGEST_OLD_FILE, links: "followed" } as const;
    return bounded(file, readFile(resolve(io.cwd, file), limits));
  } catch (error) {
    if (error instanceof Failure) throw error;
    const problem = unreadable(named, error);
    if (problem.code !== "file-not-found") return { problem };
    const help = `Check the path, or name a folder above the file. On a portal it is:\n${PLACES}`;
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

/** Of 10.9, of 10.3 to 10.8, and of 10.2. */
const PLACES = `  customizations/*/framework/webapps/arcgis#home/js/arcgisonline/config.js
  customizations/*/webapps/arcgis#home/js/arcgisonline/config.js
  customizations/*/webapps/arcgis#home/js/esri/arcgisonline/config.js`;

const ON_THE_WAY =
  /^(?:customizations|\d+(?:\.\d+)+|framework|webapps|arcgis#home|js|esri|arcgisonline)$/;

function findInFolder(folder: string, cwd: string): string {
  const [only, ...more] = configFilesIn(resolve(cwd, folder)).map((path) => relative(cwd, path));
  if (only === undefined) {
    throw wrongUsage(
      `The folder "${folder}" has no configuration file.`,
      `Name the file. On a portal it is:\n${PLACES}`,
    );
  }
  if (more.length === 0) return only;
  throw wrongUsage(
    `The folder "${folder}" has ${more.length + 1} configuration files.`,
    `Name one of them:\n${[only, ...more].map((each) => `  ${each}`).join("\n")}`,
  );
}

function configFilesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ON_THE_WAY.test(entry.name) ? configFilesIn(path) : [];
    return entry.name === "config.js" ? [path] : [];
  });
}

/** A portal's address stands for its file. */
function addressOfFile(named: string): string {
  if (!URL.canParse(named)) {
    throw wrongUsage(`"${named}" is not an address.`, "Check the host and the port.");
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
    "Portals from 11.0 on have none. Name the file on the disk of the old portal, or a copy of it.",
  );
}
