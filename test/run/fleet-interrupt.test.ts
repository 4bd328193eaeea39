// An interrupt in the middle of many portals: what is done is written down, what is not begun is skipped.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BIN, environment } from "../support/run.js";
import { openFleet, statuses, updatesOf, type Document, type Fleet } from "./fleet.js";

const SETTINGS = "{ blockBetaApps: true }";

/** The signal is sent before the sandbox answers the request; one that only reads gets no answer at all. */
async function interruptedAt(
  { sandbox, folder, env }: Fleet,
  words: readonly string[],
  request: RegExp,
): Promise<Document> {
  let child: ChildProcess | undefined;
  sandbox.faults.push({
    kind: "hang",
    match: ({ method, path }) => {
      if (!request.test(`${method} ${path}`)) return false;
      child?.kill("SIGINT");
      return method === "GET";
    },
  });
  child = spawn(process.execPath, [BIN, ...words, "-o", "json=told.json"], {
    cwd: folder,
    env: environment(env),
    stdio: "ignore",
  });
  const [exit] = (await once(child, "close")) as [number | null];
  const document = JSON.parse(readFileSync(join(folder, "told.json"), "utf8")) as Document;
  expect(exit).toBe(document.exitCode);
  return document;
}

test("completes the running portal at an interrupt and skips the rest, which a second apply does", async () => {
  const fleet = await openFleet(4, SETTINGS);
  const { sandbox, told } = fleet;
  const words = ["apply", "portals", "--yes", "--concurrency", "1"];
  const cut = await interruptedAt(fleet, words, /POST .*portal-2\/settings\/update/);
  expect(cut.exitCode).toBe(130);
  expect(cut.portals.map(({ name, status }) => [name, status])).toEqual([
    ["portal-1", "applied"],
    ["portal-2", "applied"],
    ["portal-3", "skipped"],
    ["portal-4", "skipped"],
  ]);
  expect(updatesOf(sandbox)).toEqual(["portal-1", "portal-2"]);

  const status = await told(["status", "portals"]);
  const serials = (status.portals as unknown as { serial: number | null; lock: unknown }[]).map(
    ({ serial }) => serial !== null,
  );
  expect(serials).toEqual([true, true, false, false]);

  sandbox.faults.splice(0);
  const rest = await told(["apply", "portals", "--yes"]);
  expect(rest.exitCode).toBe(0);
  expect(Object.values(statuses(rest))).toEqual(["unchanged", "unchanged", "applied", "applied"]);
});

test("reports the portals that were read before an interrupt", async () => {
  const fleet = await openFleet(4, SETTINGS);
  const words = ["plan", "portals", "--concurrency", "1"];
  const cut = await interruptedAt(fleet, words, /GET .*portals\/portal-3\/settings\?/);
  expect(cut.exitCode).toBe(130);
  expect(cut.portals.map(({ status }) => status)).toEqual([
    "changes",
    "changes",
    "skipped",
    "skipped",
  ]);
});
