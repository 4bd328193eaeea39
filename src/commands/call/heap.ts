// A run over many files → a young generation of V8's that stays small, since each file is let go soon after it was read.

/** Fewer are done before it grows. */
const MANY = 100;

/** Set only while the work goes on, because under other flags V8 takes nothing that was compiled ahead. */
export async function withSmallHeap<T>(files: number, work: () => Promise<T>): Promise<T> {
  if (files < MANY) return await work();
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
  // To wake the other threads takes longer than to look through so little.
  setFlagsFromString("--no-parallel-scavenge");
  try {
    return await work();
  } finally {
    setFlagsFromString("--semi-space-growth-factor=2");
    setFlagsFromString("--parallel-scavenge");
  }
}
