// A portal that is kept by a real process, which is killed as soon as the portal has received so many requests, and begun anew.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startSandbox, type Sandbox } from "../../src/sandbox/sandbox.js";
import type { Entry } from "../../src/state/state.js";
import { BIN, environment, folderOf } from "../support/run.js";
import { readStateIn } from "../support/state-files.js";
import { faultsIn, idsIn, openPosts, recordedIn, numbersIn, type Posts } from "./posts.js";
import { fileFor, keysOf } from "../support/sandbox.js";

export interface Place {
  readonly sandbox: Sandbox;
  readonly folder: string;
  /** Who is told, where anybody is. */
  readonly posts?: Posts;
}

/** Calls are short, so that an update which may still arrive is not waited for long. */
const WORDS = ["serve", "-o", "json", "--apply", "files", "--every", "10s", "--timeout", "1"];

export function begin({ sandbox, folder, posts }: Place): ChildProcess {
  posts?.begun();
  if (posts)
    writeFileSync(join(folder, "lintel.yaml"), `notify: [{ name: posts, url: "${posts.url}" }]\n`);
  const words = posts ? [...WORDS, "--data", "data"] : WORDS;
  const env = environment({ ...keysOf(sandbox), HOME: folder });
  return spawn(process.execPath, [BIN, ...words], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Until it has told of such a thing. */
export async function told(child: ChildProcess, event: string): Promise<void> {
  if (!child.stdout) throw new TypeError("its output is not read");
  for await (const line of createInterface({ input: child.stdout })) {
    if ((JSON.parse(line) as { readonly event: string }).event === event) return;
  }
  throw new Error(`it ended without a word of "${event}"`);
}

/** Its exit status, or the signal. */
export async function ended(child: ChildProcess): Promise<number | string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode ?? child.signalCode ?? "";
}

/** Once the portal has received so many requests more; sooner where all is done with fewer. */
export async function afterRequests(place: Place, count: number, text: string): Promise<void> {
  const received = () => place.sandbox.requests.length + (place.posts?.posts.length ?? 0);
  const until = received() + count;
  const isDone = () => shown(place) === text && !remembered(place).isOpen;
  while (received() < until && !isDone()) {
    await new Promise((turn) => setImmediate(turn));
  }
}

export function want({ sandbox, folder }: Place, text: string): void {
  const settings = `settings: { informationalBanner: { text: ${text}, enabled: true } }\n`;
  writeFileSync(join(folder, "portal.yaml"), fileFor(sandbox, settings));
}

export function shown({ sandbox }: Pick<Place, "sandbox">): string | undefined {
  return (sandbox.settings()["informationalBanner"] as { text?: string } | undefined)?.text;
}

/** What the history says was set, one after the other; and whether an update is still open. */
export function remembered({ folder }: Place) {
  const place = join(folder, ".lintel");
  const [key] = existsSync(place) ? readdirSync(place).filter((each) => !each.startsWith(".")) : [];
  const text = key && readStateIn(place, key);
  if (!text) return { texts: [], numbers: [], isOpen: false };
  const { history, journal } = JSON.parse(text) as {
    readonly history: readonly Entry[];
    readonly journal?: unknown;
  };
  const texts = history.flatMap(({ changes }) =>
    changes.filter(({ path }) => path.at(-1) === "text").map(({ after }) => after),
  );
  const numbers = history.flatMap(({ number }) => number ?? []);
  return { texts, numbers, isOpen: journal !== undefined };
}

/** As many requests as a first look, a plan and an apply come to, and some more. */
const MOST_REQUESTS = 12;

/** For each kill another text is wanted; how the killed process ended and the one after it, and what the portal showed then. */
export async function killAgainAndAgain(place: Place, kills: number) {
  const texts = Array.from({ length: kills }, (_, at) => `text-${at + 1}`);
  const ends: (readonly (number | string)[])[] = [];
  const shows: (string | undefined)[] = [];
  for (const [at, text] of texts.entries()) {
    want(place, text);
    const child = begin(place);
    await afterRequests(place, (at % MOST_REQUESTS) + 1, text);
    child.kill("SIGKILL");
    const killed = await ended(child);
    const next = begin(place);
    // Before, a signal would find nobody to hear it.
    await told(next, "started");
    await afterRequests(place, Infinity, text);
    next.kill("SIGTERM");
    ends.push([killed, await ended(next)]);
    shows.push(shown(place));
  }
  return { texts, ends, shows };
}

/** A last process, which tells whatever is left to tell. */
export async function tellRest(place: Place): Promise<void> {
  const { posts, folder } = place;
  if (!posts) return;
  const recorded = recordedIn(folder);
  const { numbers } = remembered(place);
  const isTold = () => {
    const ids = new Set(idsIn(posts.posts));
    const told = new Set(numbersIn(posts.posts));
    return recorded.every((id) => ids.has(id)) && numbers.every((each) => told.has(each));
  };
  const child = begin(place);
  await told(child, "started");
  while (!isTold() && child.exitCode === null) await new Promise((turn) => setImmediate(turn));
  child.kill("SIGTERM");
  await ended(child);
}

/** The same for those who only count: in its own folder, with its own portal. */
export async function killServing(kills: number) {
  const folder = folderOf();
  const sandbox = await startSandbox();
  const posts = await openPosts();
  try {
    const place = { folder: folder.path, sandbox, posts };
    const { texts, ends, shows } = await killAgainAndAgain(place, kills);
    const { texts: history, isOpen } = remembered(place);
    const isWhole = JSON.stringify([texts, texts]) === JSON.stringify([shows, history]);
    const isEnded = ends.every(([, end]) => end === 0);
    if (!isWhole || !isEnded || isOpen) throw new Error("a kill has lost or doubled a change");
    await tellRest(place);
    const faults = faultsIn(posts, folder.path);
    if (faults.length > 0) throw new Error(faults.join("\n"));
    const ids = idsIn(posts.posts);
    return { kills, events: new Set(ids).size, repeated: ids.length - new Set(ids).size };
  } finally {
    posts.close();
    await sandbox.close();
    folder.remove();
  }
}
