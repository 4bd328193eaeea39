// Reads a harmless and a hostile old file with the built command under strace: both open the same files, and no socket.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { BIN, PROJECT, folderOf, runProgram } from "../support/run.js";
import { waysOut } from "./ways-out.js";

const HARMLESS = `window.esriGeowConfig = { tokenExpiration: 30, surveyUrl: location.protocol + "//s.example.org" };`;
const WAYS = waysOut("http://127.0.0.1:9/asked");
const HOSTILE = `${HARMLESS}\n${WAYS.map((way) => `try { ${way}; } catch (e) {}`).join("\n")}
setTimeout(function () { ${WAYS.map((way) => `try { ${way}; } catch (e) {}`).join(" ")} }, 0);`;

/** What asks for a file by its name, for the network, or for another program. */
const CALLS = "%file,%network,execve,execveat,fork,vfork";

/** Each with the first text that it is handed, which is the file's name where it is about one. */
async function callsOf(words: readonly string[], cwd: string) {
  const trace = folderOf();
  onTestFinished(() => trace.remove());
  const file = join(trace.path, "trace.txt");
  const options = ["-f", "-qq", "-s", "500", "-e", `trace=${CALLS}`, "-e", "signal=none"];
  const all = [...options, "-o", file, process.execPath, ...words];
  const { stdout } = await runProgram("strace", all, { cwd });
  const calls = readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, call, name = ""] = /^\d+ +(\w+)\((?:[^"]*"([^"]*)")?/.exec(line) ?? [];
      return call === undefined ? [] : [`${call} ${name}`.trim()];
    });
  return { calls, stdout };
}

/** Since the old file was opened; the program's own pieces are loaded when they are needed. */
async function afterReading(text: string): Promise<string[]> {
  const folder = folderOf({ "config.js": text });
  onTestFinished(() => folder.remove());
  const words = [BIN, "migrate", "config.js", "--target", "11.5", "--output", "json"];
  const { calls, stdout } = await callsOf(words, folder.path);
  // It was run, and to its end.
  expect(stdout).toMatch(/"name": ?"surveyUrl"/);
  expect(readdirSync(folder.path)).toEqual(["config.js"]);
  const begun = calls.indexOf(`openat ${join(folder.path, "config.js")}`);
  expect(begun).toBeGreaterThan(0);
  return calls
    .slice(begun + 1)
    .filter((each) => !each.includes(join(PROJECT, "dist")))
    .map((each) => each.replaceAll(folder.path, "."));
}

const { exit } = await runProgram("strace", ["-f", "-o", "/dev/null", "true"]).catch(() => ({
  exit: undefined,
}));
const mayTrace = exit === 0;
const WHY_NOT = "system calls are not seen: strace is missing, or may trace nothing here";
if (!mayTrace) console.log(`Skipped in test/migrate/traced.test.ts: ${WHY_NOT}.`);

describe.skipIf(!mayTrace)(`under strace${mayTrace ? "" : ` (${WHY_NOT})`}`, () => {
  test("it is seen when a program opens a file, asks the network and begins another program", async () => {
    const script = `require("fs").readFileSync("/etc/hostname");
      require("net").connect(9, "127.0.0.1").on("error", () => {});
      require("child_process").execFileSync("true");`;
    const { calls } = await callsOf(["--eval", script], PROJECT);
    expect(calls).toContain("openat /etc/hostname");
    expect(calls).toContain("connect 127.0.0.1");
    expect(calls.some((each) => /^execve .*true$/.test(each))).toBe(true);
  });

  test("nothing is asked for a hostile file that is not asked for a harmless one", async () => {
    const [harmless, hostile] = [await afterReading(HARMLESS), await afterReading(HOSTILE)];
    // The C library counts the processors when one more thread asks for memory, as under Node 26.
    const known = [...harmless, "openat /sys/devices/system/cpu/online"];
    expect(hostile.filter((each) => !known.includes(each))).toEqual([]);
    expect(
      hostile.filter((each) => /^(?:socket|connect|bind|send|exec|v?fork)/.test(each)),
    ).toEqual([]);
  });
});
