// Commands that need a portal, and whether anybody has said that credentials may go there.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { main } from "../../src/cli/main.js";
import { apply, plan, render } from "../../src/library.js";
import { openPlace, type Place } from "../run/place.js";
import { serveRaw } from "../support/network.js";
import { folderOf, lintel, runProgram, BIN } from "../support/run.js";
import { sitDown } from "../support/terminal.js";

const BANNER = "settings: { informationalBanner: { text: New, enabled: true } }\n";
const UNSET = { LINTEL_ALLOWED_HOSTS: undefined };

interface Applied extends Place {
  /** What the sandbox was asked for since. */
  asked(): number;
}

/** Something was applied, and something else is wanted now. */
async function applied(): Promise<Applied> {
  const place = await openPlace();
  place.write(BANNER);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  place.write(BANNER.replace("New", "Newer"));
  const before = place.sandbox.requests.length;
  return { ...place, asked: () => place.sandbox.requests.length - before };
}

describe.each([
  ["is not set", UNSET],
  ["is empty", { LINTEL_ALLOWED_HOSTS: "" }],
  ["is not set in a pipeline", { ...UNSET, CI: "true" }],
])("where the list %s and nobody can be asked", (_, env) => {
  test("plan compares with the last apply, states it, and calls no host", async () => {
    const place = await applied();
    const ran = await place.run("plan -o text -o json=plan.json", { env });
    expect(ran.exit).toBe(0);
    expect(ran.stderr).toContain("compares with the last apply");
    expect(ran.stderr).toContain(`  export LINTEL_ALLOWED_HOSTS=${place.sandbox.url}\n`);
    expect(JSON.parse(place.read("plan.json"))).toMatchObject({
      exitCode: 0,
      portals: [{ status: "changes", comparedWith: "last", applicable: false }],
    });
    expect(place.asked()).toBe(0);
  });

  test.each([
    "apply --yes",
    "status",
    "drift",
    "pull",
    "rollback --yes",
    "doctor",
    "plan --no-state",
  ])("%s fails, with the line to set", async (words) => {
    const place = await applied();
    const ran = await place.run(`${words} -o json`, { env });
    expect(ran.exit).toBe(4);
    // Doctor tells of its steps in words.
    if (words !== "doctor") expect(ran.stdout).toContain('"code": "host-not-allowed"');
    expect(ran.stdout).toContain(`export LINTEL_ALLOWED_HOSTS=${place.sandbox.url}`);
    expect(place.asked()).toBe(0);
  });

  test.each(["validate", "plan --offline", "status --offline", "state show", "history"])(
    "%s needs none",
    async (words) => {
      const place = await applied();
      const ran = await place.run(words, { env });
      // The status is that changes are pending.
      expect(ran.exit).toBe(words.startsWith("status") ? 2 : 0);
      expect(ran.stdout + ran.stderr).not.toContain("LINTEL_ALLOWED_HOSTS");
      expect(place.asked()).toBe(0);
    },
  );

  test("a program that embeds it needs the list, too", async () => {
    const place = await applied();
    const options = { cwd: place.folder.path, env: { ...place.env, ...env } };
    const planned = await plan(["portal.yaml"], options);
    expect(planned).toMatchObject({ exitCode: 0, portals: [{ comparedWith: "last" }] });
    expect(await render(planned, "text")).toContain("LINTEL_ALLOWED_HOSTS=");
    expect(await apply(["portal.yaml"], options)).toMatchObject({
      exitCode: 4,
      portals: [{ failure: { code: "host-not-allowed" } }],
    });
    expect(place.asked()).toBe(0);
  });
});

test("the line names all hosts of a run, whichever portal is refused first", async () => {
  const place = await openPlace();
  const { signInUrl } = place.sandbox;
  for (const name of ["a", "b", "c"]) {
    const head = `targetVersion: "12.1"\nportal: { url: "https://${name}.example.org/rest" }\nsignIn: { url: "${signInUrl}" }\n`;
    place.write(BANNER, { name: `portals/${name}.yaml`, head });
  }
  for (const [env, line] of [
    [UNSET, `${place.sandbox.url},a.example.org,b.example.org,c.example.org`],
    [
      { LINTEL_ALLOWED_HOSTS: place.sandbox.url },
      `${place.sandbox.url},a.example.org,b.example.org,c.example.org`,
    ],
  ] as const) {
    for (const words of ["plan", "apply --yes", "status"]) {
      const { stdout, stderr } = await place.run(words, { env });
      expect(stdout + stderr).toContain(`export LINTEL_ALLOWED_HOSTS=${line}`);
    }
  }
  expect(place.sandbox.requests).toEqual([]);
});

test("names an invalid entry in any list", async () => {
  const place = await applied();
  const env = { LINTEL_ALLOWED_HOSTS: `${place.sandbox.url}, gis.example.com:7443` };
  for (const words of ["plan", "apply --yes", "doctor"]) {
    const ran = await place.run(words, { env });
    expect(ran.exit).toBe(64);
    expect(ran.stdout + ran.stderr).toContain('"gis.example.com:7443"');
  }
  expect(place.asked()).toBe(0);
});

test("validate names all hosts that are not listed in one last line, reports at their lines", async () => {
  const place = await applied();
  const { exit, stdout } = await place.run("validate", {
    env: { LINTEL_ALLOWED_HOSTS: "gis.example.com" },
  });
  expect(exit).toBe(0);
  expect(stdout.match(/host-not-listed/g)).toHaveLength(1);
  expect(stdout).toMatch(
    /^warning: LINTEL_ALLOWED_HOSTS does not list \S+\. \[host-not-listed\]$/m,
  );
  const report = await place.run("validate -o gitlab", {
    env: { LINTEL_ALLOWED_HOSTS: "gis.example.com" },
  });
  const found = JSON.parse(report.stdout) as {
    check_name: string;
    location: { lines: { begin: number } };
  }[];
  expect(found.map((each) => [each.check_name, each.location.lines.begin])).toEqual([
    ["host-not-listed", 2],
    ["host-not-listed", 3],
  ]);
});

describe("in a terminal", () => {
  const HOSTS = `targetVersion: "12.1"
portal: { url: https://gis.example.com/portal/sharing/rest }
signIn: { url: https://accounts.example.com }
${BANNER}`;

  /** Whoever asks a proxy for a host means to send something there. */
  async function proxied() {
    const asked: string[] = [];
    const proxy = await serveRaw((socket) => {
      socket.on("data", (data) => {
        asked.push(data.toString("latin1").split("\r\n")[0] ?? "");
        socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      });
    });
    const folder = folderOf({ "portal.yaml": HOSTS });
    onTestFinished(() => folder.remove());
    const env = {
      HTTPS_PROXY: proxy.url,
      XDG_CONFIG_HOME: join(folder.path, "config"),
      LINTEL_BEID: "beid",
      LINTEL_WEB_SERVICES_KEY: "key",
    };
    return { folder: folder.path, env, asked };
  }

  const run = (words: string, { io }: ReturnType<typeof sitDown>) => main(words.split(" "), io);

  test("a sandbox on this machine is applied to without a question about hosts", async () => {
    const place = await applied();
    const sitting = sitDown(place.folder.path, place.env, ["yes"]);
    expect(await run("apply", sitting)).toBe(0);
    expect(sitting.asked).toEqual([expect.stringContaining("Apply this to 1 portal?")]);
  });

  test("a yes lets the sign-in begin, is asked once, and is not what --yes says", async () => {
    const { folder, env, asked } = await proxied();
    const refusing = sitDown(folder, env, ["no"]);
    expect(await run("apply --yes", refusing)).toBe(4);
    expect(refusing.asked).toEqual([expect.stringContaining("Send credentials to them")]);
    expect(asked).toEqual([]);

    const willing = sitDown(folder, env, ["yes"]);
    expect(await run("apply --yes", willing)).toBe(4);
    expect(willing.asked).toHaveLength(1);
    expect(asked[0]).toBe("CONNECT accounts.example.com:443 HTTP/1.1");

    const again = sitDown(folder, env, []);
    expect(await run("doctor", again)).toBe(4);
    expect(again.asked).toEqual([]);
    expect(again.shown.join("")).not.toContain("host-not-allowed");
  });

  test("another sign-in service for the same portal asks again before anything is sent", async () => {
    const { folder, env, asked } = await proxied();
    await run("apply --yes", sitDown(folder, env, ["yes"]));
    asked.length = 0;
    writeFileSync(join(folder, "portal.yaml"), HOSTS.replace("accounts.", "accounts-2."));
    for (const words of ["apply --yes", "doctor", "status", "drift", "pull"]) {
      const sitting = sitDown(folder, env, ["no"]);
      expect(await run(words, sitting)).toBe(4);
      expect(sitting.asked).toHaveLength(1);
    }
    expect(asked).toEqual([]);
  });

  test("a plan asks too, and after a no compares with the last apply", async () => {
    const { folder, env, asked } = await proxied();
    const sitting = sitDown(folder, env, ["no"]);
    expect(await run("plan", sitting)).toBe(0);
    expect(sitting.asked).toHaveLength(1);
    expect(sitting.shown.join("")).toContain("compares with the last apply");
    for (const words of ["plan --offline", "status --offline", "state show", "validate"]) {
      const unasked = sitDown(folder, env, []);
      expect(await run(words, unasked)).toBe(words.startsWith("status") ? 2 : 0);
      expect(unasked.asked).toEqual([]);
    }
    expect(asked).toEqual([]);
  });

  const hasScript = spawnSync("script", ["--version"]).status === 0;
  const needed = hasScript ? "" : " (skipped: there is no script here)";
  test.skipIf(!hasScript)(`a terminal of the system's own is asked in${needed}`, async () => {
    const { folder, env, asked } = await proxied();
    const words = `script -qec "'${process.execPath}' '${BIN}' drift" /dev/null`;
    const own = { ...env, LINTEL_ALLOWED_HOSTS: undefined };
    const told = (answer: string) =>
      runProgram("sh", ["-c", words], { cwd: folder, env: own, stdin: `${answer}\n` });
    expect((await told("no")).stdout).toMatch(
      /accounts\.example\.com[\s\S]*Send credentials to them[\s\S]*host-not-allowed/,
    );
    expect(asked).toEqual([]);
    expect((await told("yes")).stdout).toContain("Send credentials to them");
    expect(asked[0]).toContain("accounts.example.com");
    expect((await told("")).stdout).not.toContain("Send credentials to them");
  });

  test("standard input that is piped in is no terminal", async () => {
    const { folder, env, asked } = await proxied();
    const own = { ...env, LINTEL_ALLOWED_HOSTS: undefined };
    const ran = await lintel(["drift"], { cwd: folder, env: own, stdin: "yes\n" });
    expect(ran.exit).toBe(4);
    expect(ran.stdout).toContain(
      "export LINTEL_ALLOWED_HOSTS=accounts.example.com,gis.example.com",
    );
    expect(asked).toEqual([]);
  });
});
