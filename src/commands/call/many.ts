// A run over many files → V8 on terms that suit it: memory that stays small, and less compiled for a run that soon ends.

/** Fewer are done before it matters. */
const MANY = 100;

/** Flag → its value while many files are worked on, and V8's own, in every Node from 20 on. */
const FLAGS = [
  // A young generation that stays small, since each file is let go soon after it was read.
  ["--semi-space-growth-factor=1", "--semi-space-growth-factor=2"],
  // What a file needs while the network answers outlives the young generation: it is looked through as soon as there is
  // as much of it as what is kept, and not at several times that.
  ["--heap-growing-percent=100", "--heap-growing-percent=0"],
  // To wake the other threads takes longer than to look through so little.
  ["--no-parallel-scavenge", "--parallel-scavenge"],
  // Functions are compiled by themselves more than into each other: for those that are called ten thousand times, that
  // work takes longer than what it saves.
  ["--max-inlined-bytecode-size-cumulative=150", "--max-inlined-bytecode-size-cumulative=920"],
] as const;

/** Set only while the work goes on, because under other flags V8 takes nothing that was compiled ahead. */
export async function amongMany<T>(files: number, work: () => Promise<T>): Promise<T> {
  if (files < MANY) return await work();
  const { setFlagsFromString } = await import("node:v8");
  for (const [meanwhile] of FLAGS) setFlagsFromString(meanwhile);
  try {
    return await work();
  } finally {
    for (const [, own] of FLAGS) setFlagsFromString(own);
  }
}
