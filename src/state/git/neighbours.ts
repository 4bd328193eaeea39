// A branch → the beginnings of all states on it, read some at a time, and the whole of one.
import { BEGINNING_BYTES, type Beginning, type Neighbours } from "../others.js";
import { LARGEST_STATE } from "../format.js";
import { blob, locally, type Branch, type Entry } from "./branch.js";
import type { Newest } from "./newest.js";

/** Git gives each as a whole: so many at once that they fill no memory. */
const BATCH_BYTES = 16 * 1024 * 1024;

export function neighboursOn(branch: Branch, newest: Newest): Neighbours {
  const files = async () => (newest.known() ?? (await newest.fresh())).files;
  return {
    async *beginnings() {
      for (const batch of batchesOf(await files())) yield* await beginningsOf(branch, batch);
    },
    async whole(name) {
      const entry = (await files()).get(name);
      return entry && (await blob(branch, entry.object)).toString("utf8");
    },
  };
}

type Named = readonly [name: string, entry: Entry];

function batchesOf(files: ReadonlyMap<string, Entry>): readonly (readonly Named[])[] {
  const batches: Named[][] = [];
  let room = 0;
  for (const [name, entry] of files) {
    const { mode, size } = entry;
    const isState = name.endsWith(".json") && mode.startsWith("100") && size !== undefined;
    if (!isState || size > LARGEST_STATE) continue;
    if (room < size || batches.length === 0) {
      batches.push([]);
      room = BATCH_BYTES;
    }
    batches.at(-1)?.push([name, entry]);
    room -= size;
  }
  return batches;
}

async function beginningsOf(branch: Branch, batch: readonly Named[]): Promise<Beginning[]> {
  const asked = batch.map(([, { object }]) => `${object}\n`).join("");
  const { stdout } = await locally(branch, ["cat-file", "--batch"], undefined, asked);
  let at = 0;
  return batch.map(([name, { size = 0 }]) => {
    // A line that says what follows, and a line end behind that.
    const start = stdout.indexOf("\n", at) + 1;
    at = start + size + 1;
    const text = stdout.toString("utf8", start, start + Math.min(size, BEGINNING_BYTES));
    return { name, text };
  });
}
