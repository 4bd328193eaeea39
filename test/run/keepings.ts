// The places for states in which runs are killed and measured, beside the folder: one row a kind.
import { bucketKeeping } from "./keep-bucket.js";
import { databaseKeeping } from "./keep-database.js";
import { gitKeeping } from "./keep-git.js";
import { httpKeeping } from "./keep-http.js";
import type { Keeping } from "./kept.js";

export interface Keepings {
  readonly all: readonly Keeping[];
  readonly close: () => Promise<void>;
}

/** Begins what they need in a folder of the caller's, who removes it. */
export async function openKeepings(folder: string): Promise<Keepings> {
  const opened = [
    await gitKeeping(folder),
    await httpKeeping(),
    await databaseKeeping(folder),
    await bucketKeeping(),
  ];
  return {
    all: opened.map(({ keeping }) => keeping),
    close: async () => {
      for (const each of opened) await each.close();
    },
  };
}
