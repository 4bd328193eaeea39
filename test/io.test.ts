// What this machine tells of its processes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { givenIn, readMachine } from "../src/io.js";

const machine = readMachine(process);
const hasProc = existsSync("/proc/self/stat");

test("a variable in whose place Azure has left its name is not set", () => {
  const env = { LINTEL_BEID: "$(LINTEL_BEID)", LINTEL_VAR_X: "$(LINTEL_BEID)", PATH: "/bin" };
  expect(givenIn(env)).toEqual({ LINTEL_VAR_X: "$(LINTEL_BEID)", PATH: "/bin" });
  expect(givenIn({ PATH: "/bin" })).toEqual({ PATH: "/bin" });
});

test("this process runs, and one with its number that began at another time does not", () => {
  expect(machine.isRunning(process.pid, machine.startTime)).toBe(true);
  expect(machine.isRunning(process.pid, undefined)).toBe(true);
  if (hasProc) expect(machine.isRunning(process.pid, "1")).toBe(false);
});

test("a process that has ended does not run", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  expect(machine.isRunning(child.pid ?? 0, undefined)).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(machine.isRunning(child.pid ?? 0, undefined)).toBe(false);
});

test.skipIf(!hasProc)(
  "one that has ended and was never asked how does not run either",
  async () => {
    // The shell becomes a program that does not ask how its children ended.
    const words = ["-c", "sleep 0.01 & echo $!; exec sleep 30"];
    const parent = spawn("sh", words, { stdio: ["ignore", "pipe", "ignore"] });
    const [said] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(said.toString());
    while (!readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")) await sleep(5);
    expect(machine.isRunning(pid, undefined)).toBe(false);
    parent.kill("SIGKILL");
  },
);

test("a process of another user counts as running, although signals to it are refused", () => {
  const kill = () => {
    throw Object.assign(new Error(), { code: "EPERM" });
  };
  expect(
    readMachine({
      pid: process.pid,
      kill,
      memoryUsage: process.memoryUsage,
    }).isRunning(process.pid, undefined),
  ).toBe(true);
});

test("its clock runs forward, and its timers stop on abort", async () => {
  const startMs = machine.elapsedMs();
  const calls: number[] = [];
  const stop = machine.every(5, () => {
    calls.push(machine.elapsedMs());
    return Promise.resolve();
  });
  while (calls.length < 2) await sleep(1);
  stop();
  const counted = calls.length;
  await sleep(20);
  expect(calls).toHaveLength(counted);
  expect(machine.elapsedMs() - startMs).toBeGreaterThanOrEqual(20);
});
