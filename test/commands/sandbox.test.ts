// lintel sandbox as it is started: what it prints for people and for programs, and what its help says.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { FAULTS, readFaults } from "../../src/sandbox/faults.js";
import { postForm, type Json } from "../sandbox/drive.js";
import { BIN, environment, PROJECT } from "../support/run.js";

/** The lines that it prints until one of them is the last that is waited for. */
async function start(words: readonly string[], last: RegExp): Promise<string[]> {
  const child = spawn(process.execPath, [BIN, "sandbox", ...words], {
    cwd: PROJECT,
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill("SIGINT");
    await once(child, "close");
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (last.test(line)) break;
  }
  return lines;
}

test("its first line of JSON holds everything a program needs, including the application's keys and the ids", async () => {
  const [line = ""] = await start(["--output", "json", "--portals", "3"], /^\{/);
  const told: Json = JSON.parse(line);
  expect(Object.keys(told)).toEqual([
    "ready",
    "url",
    "portalUrl",
    "signInUrl",
    "beid",
    "webServicesKey",
    "username",
    "password",
    "clientId",
    "clientSecret",
    "portals",
  ]);
  expect(told).toMatchObject({
    ready: true,
    portals: ["self", "portal-1", "portal-2", "portal-3"],
  });
  const made = await postForm(`${told.portalUrl}/oauth2/token`, {
    f: "json",
    client_id: told.clientId,
    client_secret: told.clientSecret,
    grant_type: "client_credentials",
  });
  expect(await made.json()).toHaveProperty("access_token");
  for (const id of told.portals) {
    const shown = await fetch(`${told.portalUrl}/portals/${id}?f=json`);
    expect(await shown.json()).toHaveProperty("name");
  }
});

test.each([
  [["--portals", "10"], "self portal-1 … portal-10"],
  [["--portals", "2"], "self portal-1 portal-2"],
  [[], undefined],
])("with %j it tells people the application's keys and the ids", async (words, ids) => {
  const text = (await start(words, /lintel doctor/)).join("\n");
  expect(text).toMatch(/application {6}sandbox-[0-9a-f]{12} \/ [0-9a-f]{32}/);
  expect(/portal ids +(.*)/.exec(text)?.[1]).toBe(ids);
});

test("without a sign-in service, it prints how to sign in at the portal itself", async () => {
  const text = (await start(["--fault", "no-sign-in-service"], /lintel doctor/)).join("\n");
  expect(text).toContain("lintel init --url $PORTAL --method generate-token\n");
  expect(text).toMatch(/export LINTEL_USERNAME=.*\n.*export LINTEL_PASSWORD=/);
  expect(text).not.toMatch(/sign-in service|SIGN_IN|LINTEL_BEID|LINTEL_WEB_SERVICES_KEY/);
});

test.each<[string[], object]>([
  [["latency=2s,drop=0.1,no-read"], { latencyMs: 2000, dropRate: 0.1, canRead: false }],
  [["stale=500ms", "fail=1"], { staleMs: 500, failRate: 1 }],
  [["role=publisher,unknown=store,seed=7"], { role: "publisher", unknown: "store", seed: 7 }],
  [["no-sign-in-service"], { hasSignInService: false }],
  [["reset-parameters"], { omittedParameters: "reset" }],
  [["reset-properties,anonymous-reads"], { omittedProperties: "reset", anonymousReads: true }],
  [[], {}],
])("--fault %j", (texts, options) => {
  expect(readFaults(texts)).toEqual(options);
});

test.each([
  ["latncy=2s", /Did you mean "latency"\?/],
  ["latency", /--fault latency=TIME/],
  ["latency=2", /--fault latency=TIME/],
  ["latency=9999s", /--fault latency=TIME/],
  ["drop=1.5", /--fault drop=FRACTION/],
  ["no-read=yes", /--fault no-read$/],
  ["role=king", /administrator\|security\|publisher\|member/],
  ["toString", /Faults: latency, fail,/],
  ["", /Faults: /],
])("--fault %j is wrong usage, with the way to write it", (text, says) => {
  try {
    readFaults([text]);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ code: "wrong-usage" });
    expect((error as { help?: string }).help).toMatch(says);
  }
});

test("the manual lists every fault", () => {
  const page = readFileSync(join(PROJECT, "docs/sandbox.md"), "utf8");
  for (const name of Object.keys(FAULTS)) expect(page).toMatch(new RegExp(`\`${name}[=\`]`));
});
