// Processes of this machine → what they have cost so far: processor time and memory, as Linux counts them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Postgres } from "../../support/postgres.js";

/** Of the kernel's clock, which has the same rate on every Linux that Node runs on. */
const TICK_MS = 10;

interface Stat {
  readonly parent: number;
  readonly ownMs: number;
  /** Of children that have ended, and were waited for. */
  readonly endedMs: number;
}

function statOf(pid: number | string): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
  // The name before may hold anything; the state and the parent come first after it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const sum = (...at: number[]) =>
    at.reduce((all, each) => all + Number(fields[each]) * TICK_MS, 0);
  return { parent: Number(fields[1]), ownMs: sum(11, 12), endedMs: sum(13, 14) };
}

export function cpuMsOf(pid: number): number {
  return statOf(pid)?.ownMs ?? 0;
}

/** Of the server, with all sessions that it has had. */
export function cpuMsOfServer({ folder }: Postgres): number {
  const [pid = ""] = readFileSync(join(folder, "data/postmaster.pid"), "utf8").split("\n");
  const server = statOf(pid);
  const names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const sessions = names.map(statOf).filter((each) => each?.parent === Number(pid));
  const open = sessions.reduce((all, each) => all + (each?.ownMs ?? 0), 0);
  return (server?.ownMs ?? 0) + (server?.endedMs ?? 0) + open;
}

/** The most that it ever had at a time. */
export function peakMiBOf(pid: number): number {
  const [, kB = "0"] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kB) / 1024;
}
