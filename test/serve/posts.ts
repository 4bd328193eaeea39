// Who is told by a run that is killed again and again: what each of its processes has posted, and what of that came twice.
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { EVENTS } from "../../src/serve/config/schema.js";

interface Post {
  /** Which process, counted from the first. */
  readonly by: number;
  readonly events: readonly {
    readonly id: string;
    readonly event: string;
    readonly number?: number;
  }[];
}

export type Posts = Awaited<ReturnType<typeof openPosts>>;

/** Answers after a while, so that some are killed in between. */
const TURNS = 40;

export async function openPosts() {
  const posts: Post[] = [];
  let by = 0;
  const server = createServer((request, response) => {
    const own = by;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { events } = JSON.parse(Buffer.concat(chunks).toString()) as Pick<Post, "events">;
      posts.push({ by: own, events });
      let left = TURNS;
      const answer = () => (left-- > 0 ? void setImmediate(answer) : void response.end());
      answer();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    posts,
    begun: () => void by++,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function idsIn(posts: readonly Post[]): string[] {
  return posts.flatMap(({ events }) => events.map(({ id }) => id));
}

/** Of the entries of the history that they tell of. */
export function numbersIn(posts: readonly Post[]): number[] {
  return posts.flatMap(({ events }) => events.flatMap(({ number }) => number ?? []));
}

/** The IDs of the events in the data folder that a webhook gets. */
export function recordedIn(folder: string): string[] {
  const days = join(folder, "data", "events");
  const names: readonly string[] = EVENTS;
  return readdirSync(days)
    .toSorted()
    .flatMap((day) => readFileSync(join(days, day), "utf8").split("\n").filter(Boolean))
    .map((line) => (JSON.parse(line) as { event: { kind: string; id: string } }).event)
    .filter(({ kind }) => names.includes(kind))
    .map(({ id }) => id);
}

/** What is wrong with them; empty where all arrived, and only the last message of a process that was killed came again. */
export function faultsIn({ posts }: Posts, folder: string): string[] {
  const recorded = new Set(recordedIn(folder));
  const arrived = new Set(idsIn(posts));
  const faults = [
    ...[...recorded].filter((id) => !arrived.has(id)).map((id) => `${id} never arrived`),
    ...[...arrived].filter((id) => !recorded.has(id)).map((id) => `${id} was never recorded`),
  ];
  const seen = new Set<string>();
  for (const [at, { by, events }] of posts.entries()) {
    // Sent, and killed before the note of it: then it is the last thing that this process said.
    const isLast = posts.slice(at + 1).every((other) => other.by !== by);
    for (const { id } of events) if (seen.has(id)) faults.push(`${id} came again without a kill`);
    if (!isLast) for (const { id } of events) seen.add(id);
  }
  return faults;
}
