// Two clones, two people, and a main that nobody may push to: both apply, in turn and at the same time, and nothing is lost. The paragraph on teams in README.md is this test.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/options.js";
import { printJson } from "../../src/lib/json.js";
import { identityOf } from "../../src/state/key.js";
import type { State } from "../../src/state/state.js";
import { makeServer, run, standingOf, type Server } from "../state/repositories.js";
import { lintel, type Ran } from "../support/run.js";
import { keysOf, openSandbox } from "../support/sandbox.js";
import { stand, type Middle } from "./middle.js";
import { isUpdate } from "./place.js";

interface Person {
  readonly clone: string;
  /** Below the sign-in of a file. */
  write(settings: string, name?: string, id?: string): void;
  run(words: string): Promise<Ran>;
  /** Expects that it succeeds, whatever others apply meanwhile. */
  apply(): Promise<void>;
}

async function openTeam(options: SandboxOptions = {}, before?: Middle) {
  const sandbox = await openSandbox(options);
  const host = before ? await stand(sandbox, before) : sandbox.url;
  const [portalUrl, signInUrl] = [sandbox.portalUrl, sandbox.signInUrl].map((url) =>
    url.replace(sandbox.url, host),
  );
  const server = makeServer();
  const main = server.git("rev-parse", "main");
  const pushes = join(server.home, "pushes");
  server.hook(
    "update",
    `echo "$1" >> ${pushes}; test "$1" != refs/heads/main || { echo "main is protected" >&2; exit 1; }`,
  );
  const personCalled = (name: string): Person => {
    const clone = server.clone(name);
    const env = { ...keysOf(sandbox), ...server.env, USER: name, LOGNAME: name };
    const person: Person = {
      clone,
      write(settings, file = "portal.yaml", id = "self") {
        const head = `targetVersion: "12.1"\nportal: { url: "${portalUrl}", id: ${id} }\nsignIn: { url: "${signInUrl}" }\nstate: git:lintel-state\n`;
        writeFileSync(join(clone, file), `${head}settings: ${settings}\n`);
      },
      run: (words) => lintel(words.split(" "), { cwd: clone, env }),
      async apply() {
        const { exit, stdout, stderr } = await person.run("apply --yes");
        expect(exit, `${stdout}${stderr}`).toBe(0);
      },
    };
    return person;
  };
  return {
    sandbox,
    server,
    ada: personCalled("ada"),
    ben: personCalled("ben"),
    state: (id = "self") => stateIn(server, identityOf(portalUrl ?? "", id).key),
    /** Where each push went that was tried. */
    pushed: () => (existsSync(pushes) ? readFileSync(pushes, "utf8").split("\n").slice(0, -1) : []),
    isMainUntouched: () => server.git("rev-parse", "main") === main,
  };
}

function stateIn(server: Server, key: string): State {
  return JSON.parse(server.stored(`${key}.json`) ?? "null") as State;
}

const textsOf = ({ history }: State) =>
  history.map(
    ({ by, changes }) => `${by.actor}: ${changes.map(({ after }) => printJson(after)).join()}`,
  );

test("in turn: each run continues from the other's apply", async () => {
  const { ada, ben, server, sandbox, state, ...team } = await openTeam();
  const standing = [ada, ben].map(({ clone }) => standingOf(clone, server.env));
  ada.write("{ informationalBanner: { text: One, enabled: true } }");
  await ada.apply();
  ben.write("{ informationalBanner: { text: Two, enabled: true } }");
  const planned = await ben.run("plan");
  expect(planned.stdout).toContain('"One" → "Two"');
  await ben.apply();
  expect((await ada.run("status")).stdout).toMatch(/last apply {2}.* by ben as api-user, apply 2/);
  await ada.apply();
  expect(textsOf(state())).toEqual(['ada: "One",true', 'ben: "Two"', 'ada: "One"']);
  expect(state().journal).toBeUndefined();
  expect(sandbox.settings()).toMatchObject({ informationalBanner: { text: "One" } });
  expect(new Set(team.pushed())).toEqual(new Set(["refs/heads/lintel-state"]));
  expect(team.isMainUntouched()).toBe(true);
  // But for the file that they wrote themselves, and what git keeps for Lintel, their clones are as they were.
  for (const [at, { clone }] of [ada, ben].entries()) {
    const now = standingOf(clone, server.env);
    const ownRefs = (text = "") =>
      text.split("\n").filter((line) => !line.includes(" refs/lintel/"));
    expect(ownRefs(now.refs)).toEqual(ownRefs(standing[at]?.refs));
    const others = (each: typeof now | undefined) =>
      each?.digests.filter(
        (line) =>
          !/^(portal\.yaml |(\.git\/)?(objects|refs\/lintel|logs\/refs\/lintel)\/)/.test(line),
      );
    expect(others(now)).toEqual(others(standing[at]));
  }
});

test("at the same time, on different portals: both succeed", async () => {
  const { ada, ben, state, ...team } = await openTeam({ portals: 2 });
  ada.write("{ blockBetaApps: true }", "portal.yaml", "portal-1");
  ben.write("{ blockBetaApps: true }", "portal.yaml", "portal-2");
  await Promise.all([ada.apply(), ben.apply()]);
  expect(textsOf(state("portal-1"))).toEqual(["ada: true"]);
  expect(textsOf(state("portal-2"))).toEqual(["ben: true"]);
  expect(team.isMainUntouched()).toBe(true);
});

test("at the same time, on one portal: the second waits, and nothing is lost", async () => {
  const { ada, ben, sandbox, state, ...team } = await openTeam();
  const rounds = 4;
  const apply = async (person: Person, name: string) => {
    for (let round = 1; round <= rounds; round++) {
      person.write(`{ informationalBanner: { text: ${name} ${round}, enabled: true } }`);
      await person.apply();
    }
  };
  await Promise.all([apply(ada, "A"), apply(ben, "B")]);
  const { history, journal, serial } = state();
  expect(journal).toBeUndefined();
  expect(history).toHaveLength(2 * rounds);
  // One write before each request, and one after it.
  expect(serial).toBe(2 * history.length);
  const texts = history.flatMap(({ changes }) =>
    changes.flatMap(({ path, after }) => (path.at(-1) === "text" ? [after] : [])),
  );
  expect(texts.map((text) => printJson(text)).toSorted()).toEqual(
    ["A 1", "A 2", "A 3", "A 4", "B 1", "B 2", "B 3", "B 4"].map((text) => `"${text}"`),
  );
  // Each saw what the one before had left, so that nobody looked or sent while another one was at it.
  expect(history.slice(1).map(({ live }) => live?.before)).toEqual(
    history.slice(0, -1).map(({ live }) => live?.after),
  );
  const sent = sandbox.requests
    .filter(isUpdate)
    .map(({ body }) => new URLSearchParams(body).get("informationalBanner"));
  expect(sent.map((value) => (JSON.parse(value ?? "{}") as { text: string }).text)).toEqual(texts);
  expect(new Set(team.pushed())).toEqual(new Set(["refs/heads/lintel-state"]));
  expect(team.isMainUntouched()).toBe(true);
});

test("does not report the other's apply between two reads as drift", async () => {
  let applyBetween: (() => Promise<void>) | undefined;
  let looks = 0;
  const { ada, ben, state } = await openTeam(
    {},
    {
      // Of one apply the second look is the one right before it writes.
      async delay(path) {
        if (!applyBetween || !path.includes("/portals/self/settings") || ++looks < 2) return;
        const apply = applyBetween;
        applyBetween = undefined;
        await apply();
      },
    },
  );
  ada.write("{ informationalBanner: { text: One, enabled: true } }");
  await ada.apply();
  ada.write("{ informationalBanner: { text: Three, enabled: true } }");
  ben.write("{ informationalBanner: { text: Two, enabled: true } }");
  applyBetween = () => ben.apply();
  await ada.apply();
  expect(textsOf(state())).toEqual(['ada: "One",true', 'ben: "Two"', 'ada: "Three"']);
});

test("fifty portals of one run need fewer pushes than writes", async () => {
  const { ada, sandbox, server, state, pushed } = await openTeam({ portals: 50 });
  const names = Array.from({ length: 50 }, (_, at) => `portal-${at + 1}`);
  run(ada.clone, server.env, ["rm", "--quiet", "portal.yaml"]);
  for (const name of names) ada.write("{ blockBetaApps: true }", `${name}.yaml`, name);
  sandbox.faults.push({
    kind: "error-json",
    match: (each) => isUpdate(each) && each.path.includes("portal-7/"),
  });
  sandbox.faults.push({
    kind: "drop-before",
    match: (each) => each.method === "GET" && each.path.includes("portal-23/settings"),
  });
  const words = `apply ${names.map((name) => `${name}.yaml`).join(" ")} --yes`;
  const { exit, stderr } = await ada.run(words);
  expect(exit).toBe(4);
  // But for how far it is, where that takes long.
  expect(stderr).toMatch(/^(\d+ of 50 portals done.*\n)*$/);
  expect(pushed().length).toBeLessThanOrEqual(60);
  const before = new Map(names.map((name) => [name, state(name).serial]));
  expect((await ada.run(words)).exit).toBe(0);
  // What is as it should be costs no write.
  expect(names.filter((name) => state(name).serial !== before.get(name))).toEqual(["portal-7"]);
  expect(names.map((name) => sandbox.settings(name)["blockBetaApps"])).toEqual(
    names.map(() => true),
  );
});
