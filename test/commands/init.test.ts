// lintel init: what it asks, what it writes, and that it overwrites nothing.
import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { main } from "../../src/cli/main.js";
import type { Io } from "../../src/io.js";
import { choose } from "../../src/commands/init/shown-portal.js";
import { toYaml } from "../../src/commands/init/begun-file.js";
import { check } from "../../src/document/check/check.js";
import { readDraft } from "../../src/document/read/bytes.js";
import { desiredLeaves } from "../../src/document/read/leaves.js";
import { SIGN_IN_METHODS, type SignInMethod } from "../../src/sign-in.js";
import { catalog } from "../../src/catalog/catalog.js";
import { answerJson, closedPort, makeRun, serve } from "../support/network.js";
import { lintel } from "../run/call.js";
import { folderOf } from "../support/run.js";
import { keysOf, openSandbox } from "../support/sandbox.js";

/** With a target init contacts no portal. */
const URL_FLAG = ["--url", "https://gis.example.com/portal/sharing/rest", "--target", "12.1"];

const portalAt = (name: string, method = "login") => `targetVersion: "11.5"
portal: { url: "https://${name}.example.com/portal/sharing/rest" }
signIn: { method: ${method}, url: "https://accounts.example.com" }
`;

function emptyFolder(): string {
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  return folder.path;
}

/** A person at a terminal, who answers line by line. */
function terminal(cwd: string, answers: readonly string[]) {
  const left = [...answers];
  const shown: string[] = [];
  const asked: string[] = [];
  const output = { write: (text: string) => void shown.push(text), isTerminal: true };
  const io: Io = {
    ...makeRun().io,
    cwd,
    stdin: {
      isTerminal: true,
      read: () => Promise.resolve(new Uint8Array()),
      askUnseen: () => Promise.resolve(undefined),
      ask: (question) => {
        shown.push(question);
        asked.push(question);
        return Promise.resolve(left.shift());
      },
    },
    stdout: output,
    stderr: output,
  };
  return { io, shown, asked, left };
}

describe("in a terminal", () => {
  const fileIn = (cwd: string) => readFileSync(join(cwd, "portal.yaml"), "utf8");

  test("it asks for the address, the sign-in, the state and a name, and reads the version", async () => {
    const cwd = emptyFolder();
    const sandbox = await openSandbox({ version: "11.4" });
    const address = sandbox.portalUrl.replace("/sharing/rest", "");
    const { io, shown, asked, left } = terminal(cwd, [address, "", "", ""]);
    expect(await main(["init"], io)).toBe(0);
    expect(left).toEqual([]);
    expect(asked).toEqual([
      "Portal address, for example https://gis.example.com/portal: ",
      "Sign-in service address, or Enter to sign in at the portal itself: ",
      "Where to keep the state [file:.lintel]: ",
      "A name for this portal [127.0.0.1]: ",
    ]);
    for (const question of asked) expect(question.length).toBeLessThan(80);
    expect(shown.join("")).toContain("The portal has version 11.4.\n");
    expect(shown.at(-1)).toBe(`Wrote portal.yaml and desired-state-11.4.schema.json.
State: the folder .lintel. Commit it with the file.

Next: set the credentials, check the sign-in, start from the live settings (or edit
portal.yaml), and plan:
  export LINTEL_USERNAME=… LINTEL_PASSWORD=…
  lintel doctor
  lintel pull --all
  lintel plan
`);
    expect(parse(fileIn(cwd))).toEqual({
      targetVersion: "11.4",
      deployment: "enterprise",
      portal: { name: "127.0.0.1", url: sandbox.portalUrl },
      signIn: { method: "generate-token" },
      settings: null,
    });
  });

  test("it asks again for an address where no portal answers", async () => {
    const cwd = emptyFolder();
    const { portalUrl } = await openSandbox({ version: "11.4" });
    const wrong = [`http://${await closedPort()}/portal`, portalUrl.replace("/portal/", "/other/")];
    const { io, shown, asked, left } = terminal(cwd, [...wrong, portalUrl, "", "", ""]);
    expect(await main(["init"], io)).toBe(0);
    expect(left).toEqual([]);
    expect(asked.slice(0, 4).map((each) => each.slice(0, 14))).toEqual([
      "Portal address",
      "Portal address",
      "Portal address",
      "Sign-in servic",
    ]);
    expect(shown.join("").replace(/\s+/g, " ")).toContain("cannot be reached (ECONNREFUSED).");
    expect(parse(fileIn(cwd))).toMatchObject({ portal: { url: portalUrl }, targetVersion: "11.4" });
  });

  test("it says in one line what is wrong with an answer, and asks again", async () => {
    const cwd = emptyFolder();
    const { io, shown, asked, left } = terminal(cwd, [
      "gis.example.com",
      "http://gis.example.com/portal",
      "https://gis.example.com/portal/home/index.html?token=hunter2#overview",
      "none",
      "accounts.example.com/",
      "states",
      "git:lintel-state",
      "file:states",
      "staging",
    ]);
    expect(await main(["init", "--target", "11.5"], io)).toBe(0);
    expect(left).toEqual([]);
    const wrong = shown.filter((text) => !asked.includes(text) && text.split("\n").length === 2);
    expect(wrong).toEqual([
      "Add the portal's folder, such as https://gis.example.com/portal. Without a folder: https://gis.example.com/sharing/rest\n",
      "Write https:// in the address. Lintel sends credentials over http:// only on this machine.\n",
      "Write an address that begins with https://, or press Enter. For other methods: --method.\n",
      "Write an address such as file:.lintel or git:lintel-state; lintel help state lists them.\n",
      expect.stringContaining("is a branch of a git repository"),
    ]);
    const text = fileIn(cwd);
    expect(text).not.toContain("hunter2");
    expect(parse(text)).toMatchObject({
      portal: { name: "staging", url: "https://gis.example.com/portal/sharing/rest" },
      signIn: { method: "loginadmin", url: "https://accounts.example.com/" },
      state: "file:states",
    });
    expect(await lintel(["validate"], { cwd })).toMatchObject({ exit: 0 });
  });

  test("it asks for the service of a method that needs one, and for none of others", async () => {
    const url = "https://gis.example.com/portal";
    const flags = ["--target", "11.5", "--url", url, "--name", "n", "--state", "file:.lintel"];
    const login = terminal(emptyFolder(), ["https://accounts.example.com"]);
    expect(await main(["init", ...flags, "--method", "login"], login.io)).toBe(0);
    expect(login.asked).toEqual(["Sign-in service address: "]);
    const own = terminal(emptyFolder(), []);
    expect(await main(["init", ...flags, "--method", "client-credentials"], own.io)).toBe(0);
    expect(own.asked).toEqual([]);
  });
});

describe("the version", () => {
  const readBy = async (...words: string[]) => {
    const cwd = emptyFolder();
    const env = { LINTEL_ALLOWED_HOSTS: "" };
    const { exit, stderr } = await lintel(["init", ...words], { cwd, env });
    const text = exit === 0 ? readFileSync(join(cwd, "portal.yaml"), "utf8") : "";
    return { exit, stderr, text };
  };

  test("is read from the portal without a terminal and without a list of hosts", async () => {
    const sandbox = await openSandbox({ version: "11.5" });
    const { exit, stderr, text } = await readBy("--url", sandbox.portalUrl);
    expect([exit, stderr]).toEqual([0, "The portal has version 11.5.\n"]);
    expect(text).toContain('\n\ntargetVersion: "11.5"\n');
  });

  test("is read without credentials and without a client certificate of the environment", async () => {
    const portal = await serve((_, response) =>
      answerJson(response, { enterpriseVersion: "11.5" }),
    );
    const cwd = emptyFolder();
    const env = {
      LINTEL_USERNAME: "ada",
      LINTEL_PASSWORD: "hunter2",
      LINTEL_CERT: "missing.pem",
      LINTEL_KEY: "missing.pem",
    };
    const url = `${portal.url}/portal`;
    const { exit, stderr } = await lintel(["init", "--url", url], { cwd, env });
    expect([exit, stderr]).toEqual([0, "The portal has version 11.5.\n"]);
    expect(portal.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /portal/sharing/rest?f=json",
      "GET /portal/sharing/rest/portals/self?f=json",
    ]);
    for (const { headers } of portal.received) {
      expect(Object.keys(headers).toSorted()).toEqual(["connection", "host", "user-agent"]);
    }
  });

  test("is asked for where no portal answers, and nothing is written", async () => {
    const page = await serve((_, response) => void response.end("<!doctype html><p>Welcome"));
    const other = await serve((_, response) => answerJson(response, { currentVersion: "11.5" }));
    const owningSystemUrl = "https://gis.example.com/portal";
    const server = await serve((_, response) =>
      answerJson(response, { currentVersion: 11.5, fullVersion: "11.5.0", owningSystemUrl }),
    );
    for (const [url, why] of [
      [`http://${await closedPort()}/portal`, "[not-reachable]"],
      [`${page.url}/portal`, `Check the address: Lintel read ${page.url}/portal/sharing/rest.`],
      [`${other.url}/portal`, "The answer is not that of a portal. [answer-not-understood]"],
      [
        `${server.url}/server`,
        "The answer is that of an ArcGIS Server, not of a portal. Its portal: https://gis.example.com/portal [",
      ],
    ] as const) {
      for (const more of [[], ["--example", "fleet"], ["--from-portal"]]) {
        const cwd = emptyFolder();
        const { exit, stderr } = await lintel(["init", "--url", url, ...more], { cwd });
        expect([exit, readdirSync(cwd)]).toEqual([4, []]);
        expect(stderr).toContain(why);
        expect(stderr).toContain(
          'without contacting the portal, give its version, such as "--target',
        );
      }
      expect((await readBy("--url", url, "--target", "11.5")).exit).toBe(0);
    }
  });

  test.each([
    [{ version: "11.5" }, "11.5", "The portal has version 11.5."],
    [
      { version: "11.3.1" },
      "11.3",
      "The portal has version 11.3.1. Lintel does not know it. Using 11.3, the next lower version it knows.",
    ],
    [
      { version: "13.0" },
      "12.1",
      "The portal has version 13.0. Lintel does not know it. Using 12.1, the next lower version it knows.",
    ],
    [
      { version: "10.7" },
      "10.8",
      "The portal has version 10.7. Lintel knows 10.8 and later. Using 10.8; change targetVersion if needed.",
    ],
    [
      { unlistedRelease: "9.2" },
      "12.1",
      'The portal shows release "9.2", which does not identify one version. Using 12.1; change targetVersion if needed.',
    ],
    [
      {},
      "12.1",
      "The portal does not show its version. Using 12.1; change targetVersion if needed.",
    ],
  ])("of a portal that shows %o is %s", (shown, target, notice) => {
    expect(choose(shown)).toMatchObject({ target, notice });
  });

  test("comes with the deployment, where the portal shows that it is hosted", async () => {
    const sandbox = await openSandbox({ deployment: "hosted-online" });
    const { text } = await readBy("--url", sandbox.portalUrl);
    expect(text).toContain("deployment: hosted-online\n");
    expect((await readBy("--url", sandbox.portalUrl, "--deployment", "enterprise")).text).toContain(
      "deployment: enterprise\n",
    );
  });

  test("is that of --target, which must be known", async () => {
    const { exit, stderr } = await readBy(...URL_FLAG.slice(0, 2), "--target", "9.9");
    expect([exit, stderr]).toEqual([64, expect.stringContaining("Known versions: 10.8, ")]);
  });
});

describe("the sign-in", () => {
  const signInOf = async (...words: string[]) => {
    const cwd = emptyFolder();
    const { exit, stderr } = await lintel(["init", ...URL_FLAG, ...words], { cwd });
    if (exit !== 0) return { exit, stderr };
    return (parse(readFileSync(join(cwd, "portal.yaml"), "utf8")) as { signIn: object }).signIn;
  };
  const url = "https://accounts.example.com";

  test("is at the portal itself, or with a service account where a service is named", async () => {
    expect(await signInOf()).toEqual({ method: "generate-token" });
    expect(await signInOf("--sign-in-url", url)).toEqual({ method: "loginadmin", url });
  });

  test("needs a service for some methods, and takes none for others", async () => {
    expect(await signInOf("--method", "login")).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining("--sign-in-url https://accounts.example.com") as string,
    });
    expect(await signInOf("--method", "token", "--sign-in-url", url)).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining("signs in at the portal itself") as string,
    });
  });
});

test("a terminal that is closed in the middle leaves nothing behind", async () => {
  const cwd = emptyFolder();
  const { io } = terminal(cwd, ["https://gis.example.com/portal/sharing/rest"]);
  expect(await main(["init", "--target", "11.5"], io)).toBe(130);
  expect(existsSync(join(cwd, "portal.yaml"))).toBe(false);
});

describe("the portal's address", () => {
  const urlIn = (cwd: string) =>
    /url: "(.*)"/.exec(readFileSync(join(cwd, "portal.yaml"), "utf8"))?.[1];

  test.each([
    "https://gis.example.com/portal",
    "https://gis.example.com/portal/",
    "https://gis.example.com/portal/home/index.html",
    "https://gis.example.com/portal/sharing",
    "https://gis.example.com/portal/sharing/rest/",
    "https://gis.example.com/portal/sharing/rest/portals/self",
  ])("%s is completed", async (url) => {
    const cwd = emptyFolder();
    const { exit, stderr } = await lintel(["init", "--url", url, "--target", "12.1"], { cwd });
    const whole = "https://gis.example.com/portal/sharing/rest";
    expect({ exit, url: urlIn(cwd) }).toEqual({ exit: 0, url: whole });
    expect(stderr).toBe("");
  });

  test("without the portal's folder, what is missing is said, and the whole address is taken", async () => {
    const cwd = emptyFolder();
    const { exit, stderr } = await lintel(["init", "--url", "https://gis.example.com"], { cwd });
    expect(exit).toBe(64);
    expect(stderr).toContain("Add the portal's folder, such as https://gis.example.com/portal.");
    const root = "https://gis.example.com/sharing/rest";
    expect(await lintel(["init", "--url", root, "--target", "12.1"], { cwd })).toMatchObject({
      exit: 0,
      stderr: "",
    });
    expect(urlIn(cwd)).toBe(root);
  });
});

test("a portal that is there already is taken over by the calls that init names", async () => {
  const cwd = emptyFolder();
  const sandbox = await openSandbox();
  sandbox.change("self", { informationalBanner: { text: "Back at noon", enabled: true } });
  const env = keysOf(sandbox);
  const flags = ["--url", sandbox.portalUrl, "--sign-in-url", sandbox.signInUrl];
  const { stdout } = await lintel(["init", "my portal.yaml", ...flags], { cwd });
  const calls = [...stdout.matchAll(/^ {2}lintel (\w+) 'my portal\.yaml'(.*)$/gm)];
  expect(calls.map(([, verb = ""]) => verb)).toEqual(["doctor", "pull", "plan"]);
  for (const [, verb = "", rest = ""] of calls) {
    const words = [verb, "my portal.yaml", ...rest.split(" ").filter(Boolean)];
    const ran = await lintel(words, { cwd, env });
    expect([words, ran.exit, ran.stdout]).toEqual([words, 0, ran.stdout]);
    if (verb === "plan") expect(ran.stdout).not.toMatch(/^ +~ /m);
  }
  expect(readFileSync(join(cwd, "my portal.yaml"), "utf8")).toContain("text: Back at noon");
});

describe("--from-portal", () => {
  const BANNER = { text: "Back at noon", bgColor: "#b30000", fontColor: "white", enabled: true };

  test("begins with what was chosen there, for the version that the portal has, ready to plan", async () => {
    const sandbox = await openSandbox({ version: "11.4" });
    sandbox.change("self", { informationalBanner: BANNER });
    const running = { cwd: emptyFolder(), env: keysOf(sandbox) };
    const { portalUrl, signInUrl } = sandbox;
    const words = ["--url", portalUrl, "--sign-in-url", signInUrl, "--output", "json"];
    const begun = await lintel(["init", "--from-portal", ...words], running);
    expect(JSON.parse(begun.stdout)).toMatchObject({
      command: "init",
      exitCode: 0,
      written: ["portal.yaml", "desired-state-11.4.schema.json"],
    });
    const text = readFileSync(join(running.cwd, "portal.yaml"), "utf8");
    expect(parse(text)).toMatchObject({
      targetVersion: "11.4",
      settings: { informationalBanner: BANNER },
    });
    const planned = await lintel(["plan", "--output", "json"], running);
    const { portals } = JSON.parse(planned.stdout) as {
      portals: { changes: { action: string }[] }[];
    };
    expect(new Set(portals[0]?.changes.map(({ action }) => action))).toEqual(new Set(["adopt"]));
  });

  test.each([[[]], [["--target", "11.5"]]])(
    "with %j it writes nothing where the sign-in fails",
    async (target) => {
      const sandbox = await openSandbox();
      const cwd = emptyFolder();
      const ways = ["--url", sandbox.portalUrl, "--sign-in-url", sandbox.signInUrl, ...target];
      const env = { ...keysOf(sandbox), LINTEL_WEB_SERVICES_KEY: randomUUID() };
      const refused = await lintel(["init", "--from-portal", ...ways], { cwd, env });
      expect(refused).toMatchObject({ exit: 4 });
      expect(refused.stderr).toContain("[sign-in-refused]");
      expect(readdirSync(cwd)).toEqual([]);
    },
  );

  test("writes a file for a portal that has default values only", async () => {
    const sandbox = await openSandbox();
    const { portalUrl, signInUrl } = sandbox;
    const running = { cwd: emptyFolder(), env: keysOf(sandbox) };
    const words = ["init", "new/portal.yaml", "--from-portal", "--sign-in-url", signInUrl];
    const { exit, stdout } = await lintel([...words, "--url", portalUrl], running);
    expect([exit, stdout]).toEqual([0, expect.stringContaining("Nothing to add")]);
    expect((await lintel(["validate", "new"], running)).exit).toBe(0);
  });
});

test("nothing is overwritten", async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "portal.yaml"), "mine\n");
  writeFileSync(join(cwd, "desired-state-12.1.schema.json"), "mine too\n");
  const refused = await lintel(["init", ...URL_FLAG], { cwd });
  expect(refused.exit).toBe(1);
  expect(refused.stderr).toContain("already exists");
  expect(readFileSync(join(cwd, "portal.yaml"), "utf8")).toBe("mine\n");
  expect((await lintel(["init", "other.yaml", ...URL_FLAG], { cwd })).exit).toBe(0);
  expect(readFileSync(join(cwd, "desired-state-12.1.schema.json"), "utf8")).toBe("mine too\n");
});

describe("what it writes is valid", () => {
  test.each(Object.keys(SIGN_IN_METHODS))("with the method %s", async (method) => {
    const cwd = emptyFolder();
    const { url } = SIGN_IN_METHODS[method as SignInMethod] as { url?: object };
    const service = url ? ["--sign-in-url", "https://accounts.example.com"] : [];
    const words = ["init", "sub/p.yaml", ...URL_FLAG, "--method", method, ...service];
    const written = await lintel([...words, "--name", 'a "b": #c'], { cwd });
    expect(written).toMatchObject({ exit: 0, stderr: "" });
    expect((await lintel(["validate", "sub"], { cwd })).stdout).toMatch(
      /^sub\/p.yaml: no problems/,
    );
  });

  /** With the sign of a comment removed from the lines of the chosen examples; and how many examples there are. */
  function withExamples(text: string, isChosen: (at: number) => boolean) {
    let count = 0;
    const lines = text.split("\n").map((line) => {
      if (/^ {2}# \w/.test(line)) count++;
      return line.startsWith("  # ") && isChosen(count - 1) ? line.replace("# ", "") : line;
    });
    return { text: lines.join("\n"), count };
  }

  const cases = catalog.versions.flatMap((target) =>
    catalog.deployments.map(({ name }): [string, string] => [target, name]),
  );
  test.each(cases)("with any of its examples, for %s and %s", (target, deployment) => {
    const answers = {
      target,
      isTargetSure: true,
      deployment,
      name: "staging",
      url: "https://gis.example.com/portal/sharing/rest",
      method: "generate-token",
      signInUrl: undefined,
      state: "git:lintel-state",
    };
    const text = toYaml(answers, "schema.json", { isFromPortal: false });
    const { count } = withExamples(text, () => false);
    expect(count).toBeGreaterThanOrEqual(3);
    const choices = [
      () => true,
      ...Array.from({ length: count }, (_, at) => (each: number) => each === at),
    ];
    for (const isChosen of choices) {
      const uncommented = withExamples(text, isChosen).text;
      const draft = readDraft(uncommented, { file: "portal.yaml", cwd: "/" });
      const { root, diagnostics } = check("portal.yaml", draft, {
        cwd: "/",
        env: {},
        now: () => 0,
      });
      expect(diagnostics).toEqual([]);
      expect(root && desiredLeaves(root)).not.toEqual([]);
    }
  });

  test("and its examples stay comments beside settings that pull adds", async () => {
    const sandbox = await openSandbox();
    sandbox.change("self", { informationalBanner: { text: "Back at noon", enabled: true } });
    const running = { cwd: emptyFolder(), env: keysOf(sandbox) };
    const urls = ["--url", sandbox.portalUrl, "--sign-in-url", sandbox.signInUrl];
    await lintel(["init", ...urls], running);
    expect((await lintel(["pull", "--all"], running)).exit).toBe(0);
    const text = readFileSync(join(running.cwd, "portal.yaml"), "utf8");
    expect(parse(text)).toMatchObject({
      settings: { informationalBanner: { text: "Back at noon", enabled: true } },
    });
    expect(text).toContain("\n  # informationalBanner:\n");
  });
});

test("as JSON it names what it wrote", async () => {
  const { stdout } = await lintel(["init", ...URL_FLAG, "-o", "json"], { cwd: emptyFolder() });
  expect(JSON.parse(stdout)).toMatchObject({
    command: "init",
    written: ["portal.yaml", "desired-state-12.1.schema.json"],
  });
});

describe("where the state lives", () => {
  const EMPTY_COMMIT = ["commit", "--allow-empty", "-m", "Begin"];
  const git = (cwd: string, ...words: string[]) =>
    execFileSync("git", words, { cwd, stdio: "ignore" });

  function repository(hasRemote: boolean): string {
    const cwd = emptyFolder();
    git(cwd, "init");
    if (hasRemote) git(cwd, "remote", "add", "origin", "https://git.example.com/gis/portals.git");
    return cwd;
  }
  const stateIn = (cwd: string, file = "portal.yaml") =>
    /^state: (.*)$/m.exec(readFileSync(join(cwd, file), "utf8"))?.[1];

  test("is a branch where the repository has a remote, and that is said", async () => {
    const cwd = repository(true);
    const { exit, stdout } = await lintel(["init", ...URL_FLAG], { cwd });
    expect(exit).toBe(0);
    expect(stateIn(cwd)).toBe("git:lintel-state");
    expect(stdout.replaceAll("\n", " ")).toContain(
      "State: git:lintel-state, a branch of this repository.",
    );
    // The first branch that is pushed becomes the default one.
    const push = `  git add portal.yaml desired-state-12.1.schema.json
  git commit -m "Add the portal"
  git push -u origin HEAD
`;
    expect(stdout).toContain(`  lintel pull --all\n${push}  lintel plan\n`);
    expect(await lintel(["validate"], { cwd })).toMatchObject({ exit: 0 });
    git(cwd, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...EMPTY_COMMIT);
    git(cwd, "update-ref", "refs/remotes/origin/main", "HEAD");
    expect((await lintel(["init", "third.yaml", ...URL_FLAG], { cwd })).stdout).not.toContain(
      "git push",
    );
    const { io, shown } = terminal(cwd, ["https://gis.example.com/portal", "", "", ""]);
    expect(await main(["init", "second.yaml", "--target", "12.1"], io)).toBe(0);
    expect(shown.join("")).toContain("Where to keep the state [git:lintel-state]: ");
    expect(shown.join("")).toContain("[second]: ");
    expect(stateIn(cwd, "second.yaml")).toBe("git:lintel-state");
  });

  test("may be in a repository of its own, and the files are pushed to theirs", async () => {
    const cwd = repository(true);
    git(cwd, "remote", "add", "portal-states", "https://git.example.com/gis/portal-states.git");
    const words = ["init", ...URL_FLAG, "--state", "git:lintel-state@portal-states"];
    const { stdout } = await lintel(words, { cwd });
    expect(stdout.replaceAll("\n", " ")).toContain("a branch of the remote portal-states.");
    expect(stdout).toContain("  git push -u origin HEAD\n");
  });

  test("is the folder beside the file elsewhere, which is to be committed", async () => {
    const cwd = repository(false);
    const { stdout } = await lintel(["init", ...URL_FLAG], { cwd });
    expect(stateIn(cwd)).toBeUndefined();
    expect(stdout.replaceAll("\n", " ")).toContain(
      "State: the folder .lintel. Commit it with the file.",
    );
  });

  test("is what --state says, under the rules of the file; --yes asks nothing in a terminal", async () => {
    const cwd = repository(true);
    const { io, shown } = terminal(cwd, []);
    expect(await main(["init", ...URL_FLAG, "--yes", "--state", "file:../my states"], io)).toBe(0);
    expect(stateIn(cwd)).toBe('"file:../my states"');
    expect(shown.join("")).not.toMatch(/\]: $/m);
    const wrong = async (address: string) =>
      (await lintel(["init", "other.yaml", ...URL_FLAG, "--state", address], { cwd })).stderr;
    expect(await wrong("states")).toContain('"--state" cannot be "states"');
    const told = await wrong("https://states.example.com/a?private_token=hunter2");
    expect(told).toContain('"--state" cannot be "https://states.example.com/a?…"');
    expect(told).not.toContain("hunter2");
    expect(await wrong("file:${env:PASSWORD}")).toContain("may not be referred to");
    expect(existsSync(join(cwd, "other.yaml"))).toBe(false);
  });

  test("is checked where it is a branch: no repository, no such remote, the current branch", async () => {
    const wrong = async (cwd: string, address: string) => {
      const { exit, stderr } = await lintel(["init", ...URL_FLAG, "--state", address], { cwd });
      expect(existsSync(join(cwd, "portal.yaml"))).toBe(exit === 0);
      return stderr.replace(/\s+/g, " ");
    };
    const cwd = repository(true);
    expect(await wrong(cwd, "git:lintel-state@orign")).toContain(
      'has no remote "orign". It has "origin". Write that name, or add the remote:',
    );
    const branch = readFileSync(join(cwd, ".git", "HEAD"), "utf8")
      .replace(/.*\//, "")
      .trim();
    expect(await wrong(cwd, `git:${branch}`)).toContain(`The branch "${branch}" is checked out`);
    expect(await wrong(repository(false), "git:lintel-state")).toContain(
      "git remote add origin URL",
    );
    expect(await wrong(emptyFolder(), "git:lintel-state")).toContain(
      "is a branch of a git repository",
    );
    expect(await wrong(cwd, "git:lintel-state@origin")).toBe("");
  });

  test("with --ci beside a file, is what the file says, and nothing else", async () => {
    const cwd = repository(true);
    await lintel(["init", ...URL_FLAG, "--state", "file:/srv/states"], { cwd });
    const git = (...words: string[]) => execFileSync("git", words, { cwd, stdio: "ignore" });
    const as = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    git(...as, "commit", "--allow-empty", "--message", "First");
    git("update-ref", "refs/remotes/origin/main", "HEAD");
    const unknown = await lintel(["init", ...ci("azure")], { cwd });
    expect([unknown.exit, unknown.stderr, existsSync(join(cwd, "azure-pipelines.yml"))]).toEqual([
      64,
      expect.stringContaining("git remote set-head origin --auto"),
      false,
    ]);
    const origin = join(cwd, ".git/refs/remotes/origin");
    mkdirSync(origin, { recursive: true });
    writeFileSync(join(origin, "HEAD"), "ref: refs/remotes/origin/trunk\n");
    const refused = await lintel(["init", ...ci("azure"), "--state", "git:lintel-state"], { cwd });
    expect(refused.exit).toBe(64);
    expect(refused.stderr).toContain("lintel state move portal.yaml ADDRESS");
    expect((await lintel(["init", ...ci("azure")], { cwd })).exit).toBe(0);
    expect(readFileSync(join(cwd, "azure-pipelines.yml"), "utf8")).toContain("refs/heads/trunk");
    const text = readFileSync(join(cwd, "azure-pipelines-lintel.yml"), "utf8");
    expect(text).not.toContain("GIT_TOKEN");
  });

  test("with --ci lasts longer than the runner; a folder of the checkout is to be moved", async () => {
    const cwd = repository(false);
    const asked = ["init", ...URL_FLAG, ...ci("gitlab")];
    const refused = await lintel([...asked, "--state", "file:.lintel"], { cwd });
    expect([refused.exit, readdirSync(cwd)]).toEqual([64, [".git"]]);
    expect(refused.stderr).toContain("lintel state move portal.yaml git:lintel-state");
    expect((await lintel(asked, { cwd })).exit).toBe(0);
    expect(stateIn(cwd)).toBe("git:lintel-state");
    writeFileSync(join(cwd, "own.yaml"), `${portalAt("own")}state: file:.lintel\n`);
    const beside = await lintel(["init", "own.yaml", ...ci("github")], { cwd });
    expect([beside.exit, existsSync(join(cwd, ".github"))]).toEqual([64, false]);
    expect(beside.stderr).toContain("lintel state move own.yaml git:lintel-state");
  });

  test("with --ci azure is in a repository of its own, and no other branch is accepted", async () => {
    const cwd = repository(true);
    const asked = ["init", ...URL_FLAG, ...ci("azure")];
    const refused = await lintel([...asked, "--state", "git:lintel-state"], { cwd });
    expect([refused.exit, refused.stderr]).toEqual([
      64,
      expect.stringMatching(/git remote add portal-states URL.*git:lintel-state@portal-states/s),
    ]);
    expect((await lintel(asked, { cwd })).exit).toBe(0);
    expect(stateIn(cwd)).toBe("git:lintel-state@portal-states");
  });

  test("with --ci beside a file without one, an applied state in .lintel is to be moved", async () => {
    const cwd = repository(false);
    writeFileSync(join(cwd, "portal.yaml"), portalAt("own"));
    mkdirSync(join(cwd, ".lintel"));
    writeFileSync(join(cwd, ".lintel/own.example.com-portal-self.json"), "{}");
    const refused = await lintel(["init", ...ci("github")], { cwd });
    expect([refused.exit, existsSync(join(cwd, ".github"))]).toEqual([64, false]);
    expect(refused.stderr).toContain("lintel state move portal.yaml git:lintel-state");
  });
});

/** The words for a pipeline, and where it gets Lintel from. */
function ci(system: string): string[] {
  const address = `https://packages.example.com/lintel-0.1.0.tgz#sha256=${"0".repeat(64)}`;
  return ["--ci", system, "--package", address];
}

describe("with --ci it writes the pipeline, too", () => {
  test("a workflow and what comments beside it, which plan, apply, and keep the state", async () => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, ".git"));
    const words = ["init", "gis/staging.yaml", ...URL_FLAG, ...ci("github")];
    const { exit, stdout } = await lintel(words, { cwd });
    expect(exit).toBe(0);
    const workflows = ".github/workflows/portal.yml and .github/workflows/portal-comment.yml";
    expect(stdout.replaceAll("\n", " ")).toContain(workflows);
    const text = readFileSync(join(cwd, ".github/workflows/portal.yml"), "utf8");
    expect(text).toContain('LINTEL_FILES: "gis/staging.yaml"');
    expect(text).toContain("LINTEL_PASSWORD: ${{ secrets.LINTEL_PASSWORD }}");
    const file = readFileSync(join(cwd, "gis/staging.yaml"), "utf8");
    expect(file).toContain("state: git:lintel-state");
  });

  test("for GitLab with a job each, one apply at a time", async () => {
    const cwd = emptyFolder();
    const { exit, stdout } = await lintel(["init", ...URL_FLAG, ...ci("gitlab")], { cwd });
    expect([exit, stdout]).toEqual([0, expect.stringContaining("State: git:lintel-state")]);
    const pipeline = parse(readFileSync(join(cwd, ".gitlab-ci.yml"), "utf8")) as object;
    expect(pipeline).toMatchObject({
      variables: { LINTEL_FILES: { value: "portal.yaml", expand: false } },
      apply: { resource_group: "portal", needs: ["plan"] },
    });
  });

  test("for GitLab with the state on a branch, so that no job needs a token for it, or where --state says", async () => {
    const cwd = emptyFolder();
    const git = (...words: string[]) => execFileSync("git", words, { cwd });
    git("init", "--quiet");
    git("remote", "add", "origin", "git@gitlab.example.com:gis/portals.git");
    const begun = await lintel(["init", ...URL_FLAG, ...ci("gitlab")], { cwd });
    expect([begun.exit, begun.stdout]).toEqual([
      0,
      expect.stringContaining("State: git:lintel-state"),
    ]);
    for (const name of [".gitlab-ci.yml", "portal.yaml"]) rmSync(join(cwd, name));
    const state =
      "https://gitlab.example.com/api/v4/projects/gis%2Fportals/terraform/state/${portal.key}";
    const named = await lintel(["init", ...URL_FLAG, ...ci("gitlab"), "--state", state], { cwd });
    expect([named.exit, named.stdout.replaceAll("\n", " ")]).toEqual([
      0,
      expect.stringContaining(`State: ${state}.`),
    ]);
    expect(readFileSync(join(cwd, "portal.yaml"), "utf8")).toContain(`state: "${state}"`);
    const text = readFileSync(join(cwd, ".gitlab-ci.yml"), "utf8");
    expect(text).toContain('LINTEL_ALLOWED_HOSTS: "gis.example.com,gitlab.example.com"');
    expect((await lintel(["validate"], { cwd })).exit).toBe(0);
  });

  test("beside a file that is there, which stays as it is", async () => {
    const cwd = emptyFolder();
    const file = portalAt("gis");
    mkdirSync(join(cwd, ".git"));
    writeFileSync(join(cwd, "portal.yaml"), file);
    const { exit, stdout } = await lintel(["init", ...ci("github")], { cwd });
    expect(exit).toBe(0);
    expect(stdout).toContain("state: git:lintel-state");
    expect(stdout).not.toContain("git init");
    expect(readFileSync(join(cwd, "portal.yaml"), "utf8")).toBe(file);
    const workflow = readFileSync(join(cwd, ".github/workflows/portal.yml"), "utf8");
    expect(workflow).toContain("LINTEL_PASSWORD: ${{ secrets.LINTEL_PASSWORD }}");
  });

  /** Two portals that sign in differently, and what they have in common. */
  function fleet(): string {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, ".git"));
    mkdirSync(join(cwd, "portals"));
    const place = "state: s3://bucket/lintel?region=eu-central-1\n";
    writeFileSync(join(cwd, "portals/north.yaml"), `${portalAt("north")}${place}`);
    writeFileSync(join(cwd, "portals/south.yaml"), portalAt("south", "loginadmin"));
    writeFileSync(join(cwd, "portals/_base.yaml"), "settings: {}\n");
    return cwd;
  }

  test.each([
    { words: [], target: "portals" },
    { words: ["portals"], target: "portals" },
    { words: ["portals/*.yaml"], target: "portals/*.yaml" },
  ])("for all portals of a folder: $words", async ({ words, target }) => {
    const cwd = fleet();
    const { exit, stdout, stderr } = await lintel(["init", ...words, ...ci("github")], { cwd });
    expect([exit, stderr]).toEqual([0, ""]);
    expect(readdirSync(cwd).toSorted()).toEqual([".git", ".github", "portals"]);
    expect(readdirSync(join(cwd, "portals"))).toHaveLength(3);
    // One of them says nothing of its state.
    expect(stdout).toContain(
      '"portals/south.yaml" has no "state:", so an apply in the pipeline would fail. Add to it:\n  state: git:lintel-state\n',
    );
    const text = readFileSync(join(cwd, ".github/workflows/portal.yml"), "utf8");
    expect(text).toContain(target);
    expect(text).toContain("AWS_ROLE_ARN");
    for (const name of ["LINTEL_PASSWORD", "LINTEL_BEID"]) {
      expect(text).toContain(`secrets.${name} }}`);
    }
  });

  test("for no name that the platform would put something else for", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "${{ secrets.KEY }}.yaml"), portalAt("gis"));
    const words = ["init", "${{ secrets.KEY }}.yaml", ...ci("github")];
    const { exit, stderr } = await lintel(words, { cwd });
    expect([exit, existsSync(join(cwd, ".github"))]).toEqual([64, false]);
    expect(stderr).toContain("Rename it");
  });

  test("for no portal of a folder while one of its files is wrong, or there is none", async () => {
    const cwd = fleet();
    writeFileSync(join(cwd, "portals/east.yaml"), "setings: {}\n");
    const { exit, stdout } = await lintel(["init", ...ci("gitlab")], { cwd });
    expect(exit).toBe(3);
    expect(stdout).toContain("portals/east.yaml");
    expect(existsSync(join(cwd, ".gitlab-ci.yml"))).toBe(false);
    const bare = emptyFolder();
    mkdirSync(join(bare, "portals"));
    const none = await lintel(["init", ...ci("gitlab")], { cwd: bare });
    expect([none.exit, readdirSync(bare)]).toEqual([64, ["portals"]]);
  });

  test("at the root of the repository when it runs in a folder below", async () => {
    const cwd = emptyFolder();
    for (const name of [".git", "my gis/portals"]) mkdirSync(join(cwd, name), { recursive: true });
    writeFileSync(join(cwd, "my gis/portals/north.yaml"), portalAt("north"));
    const { exit, stderr } = await lintel(["init", ...ci("gitlab")], { cwd });
    expect([exit, stderr]).toEqual([
      64,
      expect.stringContaining("lintel init --ci gitlab --url https://"),
    ]);
    const below = await lintel(["init", ...ci("gitlab")], { cwd: join(cwd, "my gis") });
    expect([below.exit, below.stdout]).toEqual([
      0,
      expect.stringContaining("Wrote ../.gitlab-ci.yml."),
    ]);
    const { variables } = parse(readFileSync(join(cwd, ".gitlab-ci.yml"), "utf8")) as {
      variables: Record<string, { value: string }>;
    };
    expect(variables["LINTEL_FILES"]?.value).toBe("my gis/portals");
  });

  test("and neither of two where one is there", async () => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, ".github/workflows"), { recursive: true });
    writeFileSync(join(cwd, ".github/workflows/portal-comment.yml"), "mine");
    const { exit, stderr } = await lintel(["init", ...URL_FLAG, ...ci("github")], { cwd });
    expect([exit, readdirSync(cwd)]).toEqual([1, [".github"]]);
    expect(stderr).toContain('portal-comment.yml" already exists');
    expect(readdirSync(join(cwd, ".github/workflows"))).toEqual(["portal-comment.yml"]);
  });

  test("outside a git repository says how to create one", async () => {
    const cwd = emptyFolder();
    const { exit, stdout } = await lintel(["init", ...URL_FLAG, ...ci("github")], { cwd });
    expect(exit).toBe(0);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "This folder is in no git repository. Run git init before the first apply.",
    );
  });

  test("and overwrites none", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, ".gitlab-ci.yml"), "mine");
    const { exit, stderr } = await lintel(["init", ...URL_FLAG, ...ci("gitlab")], { cwd });
    expect(exit).toBe(1);
    expect(stderr).toContain('".gitlab-ci.yml" already exists');
    expect(readdirSync(cwd)).toEqual([".gitlab-ci.yml"]);
  });

  test("with --cron as one line, in the environment without approvals", async () => {
    for (const [system, file] of [
      ["github", ".github/workflows/portal.yml"],
      ["gitlab", ".gitlab-ci.yml"],
      ["azure", "azure-pipelines.yml"],
    ] as const) {
      const cwd = emptyFolder();
      writeFileSync(join(cwd, "portal.yaml"), portalAt("gis"));
      const words = ["init", ...ci(system), "--cron"];
      const odd = await lintel([...words, "every day"], { cwd });
      expect([odd.exit, odd.stderr]).toEqual([64, expect.stringContaining("five fields")]);
      expect((await lintel([...words, "17 6 * * *"], { cwd })).exit).toBe(0);
      const text = readFileSync(join(cwd, file), "utf8");
      expect(text.match(/"17 6 \* \* \*"/g)).toHaveLength(1);
      expect(text).toContain("portal-unattended");
    }
  });

  test("without a clock when there is no terminal", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "portal.yaml"), portalAt("gis"));
    const { exit } = await lintel(["init", ...ci("github")], { cwd });
    expect(exit).toBe(0);
    const text = readFileSync(join(cwd, ".github/workflows/portal.yml"), "utf8");
    expect(text).not.toMatch(/schedule|unattended/);
  });

  test("in its shortest form with --minimal, for GitHub alone", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "portal.yaml"), portalAt("gis"));
    const refused = await lintel(["init", ...ci("gitlab"), "--minimal"], { cwd });
    expect([refused.exit, refused.stderr]).toEqual([64, expect.stringContaining("is for GitHub")]);
    const clock = ["init", ...ci("github"), "--minimal", "--cron", "7 * * * *"];
    const unheard = await lintel(clock, { cwd });
    expect([unheard.exit, unheard.stderr]).toEqual([64, expect.stringContaining("has no clock")]);
    expect((await lintel(["init", ...ci("github"), "--minimal"], { cwd })).exit).toBe(0);
    expect(readdirSync(join(cwd, ".github/workflows"))).toEqual(["portal.yml"]);
  });

  describe("--package", () => {
    function repository(): string {
      const cwd = emptyFolder();
      for (const name of [".git", "gis", "tools"]) mkdirSync(join(cwd, name));
      writeFileSync(join(cwd, "portal.yaml"), portalAt("gis"));
      writeFileSync(join(cwd, "tools/lintel-0.1.0.tgz"), "");
      return cwd;
    }
    const begin = (cwd: string, system: string, ...words: string[]) =>
      lintel(["init", ...words, "--ci", system], { cwd });

    const SHA256 = "ab".repeat(32);
    const BYTES = Buffer.alloc(64, 7);

    test.each([
      ["https://packages.example.com/lintel-0.1.0.tgz", `sha256=${SHA256}`, SHA256],
      ["https://packages.example.com:8443/gis/~lintel/l.tgz", `sha256=${SHA256}`, SHA256],
      ["@example/lintel@0.1.0", `sha512-${BYTES.toString("base64")}`, BYTES.toString("hex")],
      ["lintel-of-ours@0.1.0-beta.2", `sha256=${SHA256}`, SHA256],
    ])("%s stands in the pipeline with its sum", async (address, sum, hex) => {
      const cwd = repository();
      const { exit } = await begin(cwd, "gitlab", "--package", `${address}#${sum}`);
      expect(exit).toBe(0);
      const text = readFileSync(join(cwd, ".gitlab-ci.yml"), "utf8");
      const { variables } = parse(text) as { variables: Record<string, { value: string }> };
      expect(variables["LINTEL_PACKAGE"]?.value).toBe(address);
      const algorithm = hex.length === 64 ? "sha256" : "sha512";
      expect(variables[`LINTEL_${algorithm.toUpperCase()}`]?.value).toBe(hex);
      expect(text).toContain(`| ${algorithm}sum --check --strict`);
    });

    test("that is a file is summed by init itself", async () => {
      const cwd = repository();
      expect((await begin(cwd, "azure", "--package", "./tools/lintel-0.1.0.tgz")).exit).toBe(0);
      const sum = createHash("sha256").update("").digest("hex");
      expect(readFileSync(join(cwd, "azure-pipelines.yml"), "utf8")).toContain(sum);
    });

    test("is a file of the repository from its root, wherever it is named", async () => {
      const cwd = repository();
      const words = ["../portal.yaml", "--package", "../tools/lintel-0.1.0.tgz"];
      expect(await begin(join(cwd, "gis"), "gitlab", ...words)).toMatchObject({ exit: 0 });
      expect(readFileSync(join(cwd, ".gitlab-ci.yml"), "utf8")).toContain(
        '"./tools/lintel-0.1.0.tgz"',
      );
    });

    test.each([
      ["http://packages.example.com/lintel.tgz", "cannot install"],
      ["https://ada:hunter2@packages.example.com/lintel.tgz", '"https://…@packages.example.com'],
      ["https://packages.example.com/lintel.tgz?token=hunter2", 'lintel.tgz?…"'],
      ["https://packages.example.com/$(touch pwned).tgz", "cannot install"],
      ["https://packages.example.com/${{ secrets.KEY }}.tgz", "cannot install"],
      ['https://packages.example.com/a"\nb: c.tgz', "cannot install"],
      ["./tools/$(touch pwned).tgz", "cannot install"],
      ["../elsewhere.tgz", "cannot install"],
      ["./tools", "There is no file"],
      ["./tools/none.tgz", "There is no file"],
      ["lintel", "Nobody has published Lintel"],
      ["lintel@0.1.0", "Nobody has published Lintel"],
      [`lintel@0.1.0#sha256=${"0".repeat(64)}`, "Nobody has published Lintel"],
      ["@example/lintel@latest", "cannot install"],
      ["@example/lintel@0.1.0", "has no sum"],
      ["https://packages.example.com/lintel.tgz", "has no sum"],
      ["https://packages.example.com/lintel.tgz#sha256=0", "has no sum"],
      ["https://packages.example.com/lintel.tgz#sha1-AAAA", "has no sum"],
    ])("%s is refused", async (address, why) => {
      const cwd = repository();
      const { exit, stderr } = await begin(cwd, "github", "--package", address);
      expect([exit, stderr]).toEqual([64, expect.stringContaining(why)]);
      expect(stderr).not.toContain("hunter2");
      expect(readdirSync(cwd)).not.toContain(".github");
    });

    test("is for a pipeline", async () => {
      const { exit, stderr } = await lintel(["init", ...URL_FLAG, "--package", "./lintel.tgz"], {
        cwd: emptyFolder(),
      });
      expect([exit, stderr]).toEqual([64, expect.stringContaining("lintel init --ci github")]);
    });

    test("is required, and the message names its forms", async () => {
      const cwd = repository();
      const { exit, stderr } = await begin(cwd, "github");
      expect([exit, stderr]).toEqual([64, expect.stringContaining("The package is missing")]);
      expect(stderr).toContain("#sha256=");
      expect(readdirSync(cwd)).not.toContain(".github");
    });
  });
});
