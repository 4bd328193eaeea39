// Secrets that a program of the machine's owner prints: who may ask for them, where they go, and what is never shown.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { identityOf } from "../../src/state/key.js";
import { commandNamed } from "../../src/document/read/commands.js";
import { blocks } from "../support/manual.js";
import { openPlace, type Place } from "./place.js";

const SETTINGS = "settings:\n  blockBetaApps: true\n";

interface Machine {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Writes a program, and gives its path. */
  program(script: string, name?: string): string;
  config(text: string): void;
  /** What the programs have noted, a line each. */
  readonly noted: () => string[];
}

/** A machine's own folder, outside of what is under review. */
function openMachine(): Machine {
  const folder = mkdtempSync(join(tmpdir(), "lintel-machine-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, "config.yaml");
  const log = join(folder, "log");
  writeFileSync(log, "");
  return {
    folder,
    env: { LINTEL_CONFIG: config, PATH: process.env["PATH"] ?? "" },
    program(script, name = "secret") {
      const path = join(folder, name);
      writeFileSync(path, `#!/bin/sh\necho "$@" >> "${log}"\n${script}\n`);
      chmodSync(path, 0o755);
      return path;
    },
    config: (text) => writeFileSync(config, text),
    noted: () => readFileSync(log, "utf8").split("\n").slice(0, -1),
  };
}

const HERE = '"http://127.0.0.1:*"';

/** The sandbox's own account, whose key a program prints. */
function writeFileAt(place: Place, { beid = "${env:LINTEL_BEID}", key = "${command:key}" } = {}) {
  const { portalUrl, signInUrl } = place.sandbox;
  const signIn = `signIn: { url: "${signInUrl}", beid: "${beid}", webServicesKey: "${key}" }\n`;
  const head = `targetVersion: "12.1"\nportal: { url: "${portalUrl}" }\n${signIn}`;
  place.write(SETTINGS, { head });
}

async function setUp(script?: string) {
  const place = await openPlace();
  const machine = openMachine();
  const { beid, webServicesKey } = place.sandbox;
  const path = machine.program(script ?? `echo "${webServicesKey}"`);
  machine.config(`commands:\n  key: { run: ["${path}"], hosts: [${HERE}], timeout: 10s }\n`);
  writeFileAt(place);
  return { place, machine, path, env: { LINTEL_BEID: beid, ...machine.env } };
}

/** Whatever a run wrote, to its streams and below its folder. */
function allOf({ folder }: Place, ran: { readonly stdout: string; readonly stderr: string }) {
  const files = readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => readFileSync(join(each.parentPath, each.name), "utf8"));
  return [ran.stdout, ran.stderr, ...files].join("\n");
}

test("signs in with a program's secret, runs it at each sign-in, and never shows the secret", async () => {
  const { place, machine, env } = await setUp();
  const reports = "--output text --output json=out.json --output markdown=out.md --verbose";
  for (const words of [`plan ${reports}`, `apply --yes ${reports}`, "doctor", "validate"]) {
    const ran = await place.run(words, { env });
    expect([words, ran.exit, ran.stderr]).toEqual([words, 0, ran.stderr]);
    expect(allOf(place, ran)).not.toContain(place.sandbox.webServicesKey);
  }
  expect(place.sandbox.settings()["blockBetaApps"]).toBe(true);
  // Three runs have signed in; `validate` needs no secret.
  expect(machine.noted()).toHaveLength(3);
});

test("passes the portal's key to the program, so that one base serves many portals", async () => {
  const { place, machine, path, env } = await setUp();
  const { key } = identityOf(place.sandbox.portalUrl, "self");
  machine.config(
    `commands:\n  ${key}.admin: { run: ["${path}", -field=key, "portals/\${portal.key}"], hosts: [${HERE}] }\n`,
  );
  writeFileAt(place, { key: "${command:${portal.key}.admin}" });
  expect(await place.run("plan", { env })).toMatchObject({ exit: 0 });
  expect(machine.noted()).toEqual([`-field=key portals/${key}`]);
});

test("names a secret's file by the portal's key", async () => {
  const { place, machine, env } = await setUp();
  const { key } = identityOf(place.sandbox.portalUrl, "self");
  const secrets = join(machine.folder, "secrets");
  mkdirSync(join(secrets, key), { recursive: true });
  writeFileSync(join(secrets, key, "key"), `${place.sandbox.webServicesKey}\n`);
  writeFileAt(place, { key: `\${file:${secrets}/\${portal.key}/key}` });
  const ran = await place.run("plan", { env: { ...env, LINTEL_SECRETS: secrets } });
  expect(ran).toMatchObject({ exit: 0 });
  expect(machine.noted()).toEqual([]);
});

describe("sends a secret only to its listed hosts", () => {
  test.each(["portal", "sign-in service"])("refuses a file with another %s", async (which) => {
    const { place, machine, path, env } = await setUp();
    const { origin } = new URL(
      which === "portal" ? place.sandbox.signInUrl : place.sandbox.portalUrl,
    );
    machine.config(`commands:\n  key: { run: ["${path}"], hosts: ["${origin}"] }\n`);
    const { portalUrl, signInUrl } = place.sandbox;
    const urls =
      which === "portal"
        ? [portalUrl.replace("127.0.0.1", "localhost"), signInUrl]
        : [portalUrl, signInUrl.replace("127.0.0.1", "localhost")];
    const signIn = `signIn: { url: "${urls[1]}", webServicesKey: "\${command:key}" }\n`;
    place.write(SETTINGS, {
      head: `targetVersion: "12.1"\nportal: { url: "${urls[0]}" }\n${signIn}`,
    });
    const ran = await place.run("apply --yes", { env });
    expect(ran.exit).toBe(4);
    expect(ran.stdout + ran.stderr).toContain(
      'The secret of the command "key" may not go to "http://localhost',
    );
    expect(machine.noted()).toEqual([]);
    const posted = place.sandbox.requests.filter(({ method }) => method === "POST");
    expect(posted).toEqual([]);
  });
});

describe("never reads commands from a repository", () => {
  test.each(["the configuration", "a link to it", "the program"])(
    "refuses %s inside",
    async (what) => {
      const { place, machine, path, env } = await setUp();
      mkdirSync(join(place.folder.path, ".git"));
      const own = join(place.folder.path, "config.yaml");
      let config = machine.env["LINTEL_CONFIG"] ?? "";
      if (what === "a link to it") symlinkSync(config, own);
      if (what === "the configuration") writeFileSync(own, readFileSync(config));
      if (what === "the program") {
        const program = join(place.folder.path, "program");
        writeFileSync(program, readFileSync(path), { mode: 0o755 });
        machine.config(`commands:\n  key: { run: ["${program}"], hosts: [${HERE}] }\n`);
      } else config = own;
      const ran = await place.run("apply --yes", { env: { ...env, LINTEL_CONFIG: config } });
      expect(ran.exit).toBe(64);
      expect(ran.stdout + ran.stderr).toContain("lies in the repository of the files");
      expect(machine.noted()).toEqual([]);
    },
  );

  test("refuses a program, arguments and partial references in a file", async () => {
    const { place, machine, env } = await setUp();
    for (const key of ["${command:/bin/echo hunter2}", "${command:key --all}", "x${command:key}"]) {
      writeFileAt(place, { key });
      expect(await place.run("validate", { env })).toMatchObject({ exit: 3 });
    }
    place.write("settings:\n  informationalBanner: { text: '${command:key}' }\n");
    const ran = await place.run("validate", { env });
    expect(ran.exit).toBe(3);
    expect(ran.stdout).toContain('may stand only under "signIn", and alone');
    expect(machine.noted()).toEqual([]);
  });

  test("reports an unlisted command before and at the sign-in, with the name that is meant", async () => {
    const { place, machine, path, env } = await setUp();
    machine.config(`commands:\n  keys: { run: ["${path}"], hosts: [gis.example.com] }\n`);
    for (const [words, exit] of [
      ["validate", 0],
      ["plan", 4],
      ["apply --yes", 4],
      ["plan --preview", 0],
    ] as const) {
      const ran = await place.run(words, { env });
      const said = (ran.stdout + ran.stderr).replace(/\s+/g, " ");
      expect([words, ran.exit]).toEqual([words, exit]);
      if (words === "plan --preview") continue;
      expect(said).toContain('lists no command "key"');
      expect(said).toContain(
        `Did you mean "keys"? Or list it outside the repository, in ${machine.env["LINTEL_CONFIG"]}.`,
      );
    }
    expect(machine.noted()).toEqual([]);
  });

  test("plans without a sign-in on a machine that lists no commands", async () => {
    const { place, env } = await setUp();
    const rest = { ...env, LINTEL_CONFIG: "" };
    const ran = await place.run("plan", { env: { ...rest, XDG_CONFIG_HOME: place.folder.path } });
    expect([ran.exit, ran.stdout]).toEqual([0, expect.stringContaining('lists no command "key"')]);
    expect((await place.run("apply --yes", { env: rest })).exit).toBe(4);
  });

  test("validate names the configuration whose hosts lack an address of the file", async () => {
    const { place, machine, path, env } = await setUp();
    machine.config(`commands:\n  key: { run: ["${path}"], hosts: [gis.example.com] }\n`);
    const { exit, stdout } = await place.run("validate --output json", { env });
    expect(exit).toBe(0);
    const help = `Correct the address, or add the host to "commands.key.hosts" in:\n  ${machine.env["LINTEL_CONFIG"]}`;
    expect(JSON.parse(stdout)).toMatchObject({
      diagnostics: [
        { code: "host-not-listed", line: 2, help },
        { code: "host-not-listed", line: 3, help },
      ],
    });
  });
});

describe("never shows what a program prints", () => {
  const LEAK = "hunter2hunter2";
  test.each([
    ["it ended with status 7", `echo ${LEAK}; echo ${LEAK} >&2; exit 7`],
    ["it printed nothing", `echo ${LEAK} >&2`],
    ["what it printed holds a line break", `echo ${LEAK}; echo ${LEAK}`],
    ["it printed more than 64 KiB", `while true; do echo ${LEAK}${LEAK}${LEAK}; done`],
    ["it took longer than 1 s", `echo ${LEAK}; exec sleep 600`],
    ["the program, or the one that its first line names, does not exist", undefined],
  ])("where %s", async (why, script) => {
    const { place, machine, path, env } = await setUp(script);
    if (script === undefined) rmSync(path);
    const limit = why.includes("64") ? "timeout: 60s" : "timeout: 1s";
    machine.config(`commands:\n  key: { run: ["${path}"], hosts: [${HERE}], ${limit} }\n`);
    const ran = await place.run("apply --yes --output text --output json=out.json", {
      env: { ...env, LINTEL_DEBUG: "1" },
    });
    expect(ran.exit).toBe(4);
    expect(ran.stdout + ran.stderr).toContain("command-failed");
    if (!why.includes("1 s")) expect(ran.stdout + ran.stderr).toContain(why);
    expect(allOf(place, ran)).not.toContain(LEAK);
  });

  test("a wrong secret that the service repeats", async () => {
    const { place, env } = await setUp(`echo ${LEAK}`);
    const ran = await place.run("apply --yes --verbose", { env });
    expect(ran.exit).toBe(4);
    expect(allOf(place, ran)).not.toContain(LEAK);
  });

  test("and passes it no variable of Lintel", async () => {
    const { place, machine, env } = await setUp();
    machine.program(
      `env | grep -c ^LINTEL_ >> "${join(machine.folder, "log")}"; echo "${place.sandbox.webServicesKey}"`,
    );
    expect(await place.run("plan", { env })).toMatchObject({ exit: 0 });
    expect(machine.noted().at(-1)).toBe("0");
  });
});

test("accepts the commands of the manual", () => {
  const machine = openMachine();
  const asking = {
    file: "portal.yaml",
    key: "gis.example.com-portal-self",
    service: new URL("https://accounts.example.com"),
    portal: new URL("https://gis.example.com/portal/sharing/rest"),
  };
  const [, ready = ""] = blocks("yml", ["docs/credentials.md"]).map(([, text]) => text);
  machine.config(ready);
  const names = [...ready.matchAll(/^  ([a-z0-9]+):$/gm)].map(([, name = ""]) => name);
  expect(names).toEqual(["vault", "aws", "azure", "onepassword", "pass", "sops"]);
  const around = { cwd: machine.folder, env: machine.env };
  const programs = names.map((name) => commandNamed(name, around, asking).program.join(" "));
  expect(programs.filter((each) => each.includes("${"))).toEqual([]);
  expect(programs.at(-1)).toContain('["gis.example.com-portal-self"]["password"]');
});

test.each([
  ["run: [pass], hosts: [gis.example.com]", "must begin with the path of a program"],
  ["run: [/bin/echo], hosts: [https://a/b]", "which is no host"],
  ["run: [/bin/echo]", 'The key "hosts" is missing'],
  ["run: [/bin/echo], host: [gis.example.com]", 'The key "host" is not known'],
  [`run: [/bin/echo], hosts: [${HERE}], timeout: 0s`, '"timeout" must be from 1s to 10m'],
])("refuses a configuration with {%s}", async (entry, message) => {
  const { place, machine, env } = await setUp();
  machine.config(
    `commands:\n  key: { ${entry.includes("pass") ? entry.replace("gis.example.com", HERE) : entry} }\n`,
  );
  const ran = await place.run("apply --yes", { env });
  expect(ran.exit).toBe(64);
  expect(ran.stdout + ran.stderr).toContain(message);
});

test.skipIf(process.platform === "win32")(
  "a configuration that everybody can write is refused",
  async () => {
    const { place, machine, env } = await setUp();
    chmodSync(machine.env["LINTEL_CONFIG"] ?? "", 0o666);
    const ran = await place.run("apply --yes", { env });
    expect(ran.exit).toBe(64);
    expect(ran.stdout + ran.stderr).toContain("Every user of this machine can write");
  },
);
