// Runs calls in turns: how long each takes, how that compares with the first, and how much memory it needs at most.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../support/run.js";

export interface Call {
  readonly name: string;
  readonly program?: string;
  readonly words: readonly string[];
  /** The most that it may take, in times of the first call. */
  readonly target?: number;
  /** The most memory, in MiB. */
  readonly targetMiB?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Puts things back before each round; not timed. */
  readonly before?: () => Promise<void> | void;
}

export interface Figure {
  readonly name: string;
  readonly comparedWith: string;
  readonly rounds: number;
  readonly medianMs: number;
  readonly ratio: number;
  readonly target: number | null;
  readonly isMet: boolean | null;
  readonly peakMiB: number | null;
  readonly targetMiB: number | null;
}

// With it Node 20 reads a file of authorities at every start, which takes longer than the start itself.
const { NODE_EXTRA_CA_CERTS: _, XDG_CACHE_HOME: __, ...inherited } = process.env;

/** All take turns, so that a busy moment slows each alike. */
export async function measure(
  calls: readonly Call[],
  rounds: number,
  folder: string,
): Promise<Figure[]> {
  const times = calls.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, call] of calls.entries()) times[at]?.push(await timeOf(call, folder));
  }
  const medians = times.map(medianOf);
  const figures: Figure[] = [];
  for (const [at, call] of calls.entries()) {
    const medianMs = medians[at] ?? 0;
    const ratio = medianMs / (medians[0] ?? 1);
    const { name, target, targetMiB } = call;
    const peakMiB = call.program === undefined ? await peakOf(call, folder) : null;
    const met = [
      ...(target === undefined ? [] : [ratio <= target]),
      ...(targetMiB === undefined ? [] : [(peakMiB ?? 0) <= targetMiB]),
    ];
    figures.push({
      name,
      comparedWith: calls[0]?.name ?? "",
      rounds,
      medianMs,
      ratio,
      target: target ?? null,
      isMet: met.length === 0 ? null : met.every(Boolean),
      peakMiB,
      targetMiB: targetMiB ?? null,
    });
  }
  return figures;
}

async function timeOf(call: Call, folder: string): Promise<number> {
  await call.before?.();
  const start = process.hrtime.bigint();
  await run(call, call.words, folder);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** In a run of its own, which is not timed, because what looks at the memory takes time as well. */
async function peakOf(call: Call, folder: string): Promise<number> {
  await call.before?.();
  const file = join(folder, "peak");
  const words = ["-r", join(PROJECT, "test/support/peak.cjs"), ...call.words];
  await run({ ...call, env: { ...call.env, LINTEL_TEST_PEAK: file } }, words, folder);
  return Number(readFileSync(file, "utf8"));
}

/** Those of the files and of the sandbox. */
const HOSTS = "*.example.com, http://127.0.0.1:*";

/** Its report is read, and thrown away. */
async function run(call: Call, words: readonly string[], cwd: string): Promise<void> {
  const { program = process.execPath, env = {} } = call;
  const child = spawn(program, [...words], {
    cwd,
    env: { ...inherited, HOME: cwd, LINTEL_ALLOWED_HOSTS: HOSTS, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let wrong = "";
  child.stdout.resume();
  child.stderr.on("data", (text: Buffer) => (wrong += text.toString()));
  const [status] = (await once(child, "close")) as [number | null];
  if (status !== 0) throw new Error(`${call.name} ended with ${status}:\n${wrong}`);
}

export function medianOf(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
