// Does with the command all that a person does on the first day, and judges each step.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "vitest";
import packageFacts from "../../package.json" with { type: "json" };
import { PLAIN_PATH, type Machine } from "./machine.js";
import { PROJECT, runProgram, type Ran } from "./run.js";

interface Served {
  readonly url: string;
  readonly portalUrl: string;
  readonly signInUrl: string;
  readonly beid: string;
  readonly webServicesKey: string;
}

export interface Start {
  /** The program, and the words before its own. */
  readonly words: readonly string[];
  /** An empty folder, which is the home, too. */
  readonly cwd: string;
  readonly path: string;
}

export async function assertWorks({ words: [program = "", ...first], cwd, path }: Start) {
  let env: Record<string, string> = { HOME: cwd, PATH: path };
  const run = (...words: string[]): Promise<Ran> =>
    runProgram(program, [...first, ...words], { cwd, env });
  const done = { exit: 0, stderr: "" };

  expect(await run("--version")).toEqual({ ...done, stdout: `${packageFacts.version}\n` });
  // Pieces that are loaded late: a page of the manual, a schema, the sealed engine in a thread of its own.
  expect((await run("help", "exit-status")).stdout).toContain("changes pending");
  expect(JSON.parse((await run("schema", "11.5")).stdout)).toHaveProperty("properties");
  const old = readFileSync(join(PROJECT, "examples/upgrade-from-10.9/config.js"));
  writeFileSync(join(cwd, "config.js"), old);
  const address = ["--portal-url", "https://gis.example.com/portal", "--target", "11.0"];
  const migrated = await run("migrate", "config.js", ...address, "--out", "old.yaml");
  expect(migrated).toMatchObject({ exit: 0 });
  expect(readFileSync(join(cwd, "old.yaml"), "utf8")).toContain("tokenExpiration: 30");

  await withSandbox(
    [program, ...first, "sandbox", "--output", "json"],
    { cwd, env },
    async (own) => {
      writeFileSync(
        join(cwd, "portal.yaml"),
        `targetVersion: "12.1"
portal: { url: "${own.portalUrl}" }
signIn: { url: "${own.signInUrl}" }
settings: { informationalBanner: { text: Tomorrow, enabled: true } }
`,
      );
      env = {
        ...env,
        LINTEL_ALLOWED_HOSTS: "http://127.0.0.1:*",
        LINTEL_BEID: own.beid,
        LINTEL_WEB_SERVICES_KEY: own.webServicesKey,
      };
      const said = "portal.yaml: no problems.\n";
      expect(await run("validate", "portal.yaml")).toEqual({ ...done, stdout: said });
      const pending = await run("plan", "portal.yaml", "--detailed-exitcode");
      expect(pending).toMatchObject({ exit: 2, stdout: expect.stringContaining("Tomorrow") });
      expect(await run("apply", "portal.yaml", "--yes")).toMatchObject({ exit: 0 });
      expect(await (await fetch(own.url)).text()).toContain("Tomorrow");
      expect(await run("plan", "portal.yaml", "--detailed-exitcode")).toMatchObject({ exit: 0 });
    },
  );
}

/** The package for Debian, on a machine without Node. */
export async function assertInstalls(
  { run, root, words }: Machine,
  { release, shared }: { readonly release: string; readonly shared: string },
): Promise<void> {
  expect((await run("which", "node", "nodejs", "lintel")).stdout).toBe("");
  const deb = readdirSync(release).find((name) => name.endsWith(".deb")) ?? "";
  copyFileSync(join(release, deb), join(root, "tmp", deb));
  const apt = ["apt-get", "--yes", "--quiet", "--no-install-recommends"];
  expect(await run(...apt, "install", `/tmp/${deb}`)).toMatchObject({ exit: 0 });
  expect((await run("which", "lintel")).stdout).toBe("/usr/bin/lintel\n");
  // Not one of its files is other than its own list says.
  expect(await run("dpkg", "--verify", "lintel")).toEqual({ exit: 0, stdout: "", stderr: "" });
  const cwd = mkdtempSync(join(shared, "home-"));
  const start = [...words, "env", `--chdir=${cwd}`, "lintel"];
  await assertWorks({ words: start, cwd, path: PLAIN_PATH });
}

async function withSandbox(
  [program = "", ...words]: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
  work: (served: Served) => Promise<void>,
): Promise<void> {
  const child = spawn(program, words, { ...options, stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    await work(JSON.parse(line) as Served);
  } finally {
    child.kill("SIGINT");
    await ended;
  }
}
