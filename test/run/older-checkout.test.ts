// Two clones of the files, one of them old: it undoes no apply of the other unless that is allowed, and ends no hold.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { printState } from "../../src/state/format.js";
import { processOf } from "../../src/state/recover.js";
import type { Entry, State } from "../../src/state/state.js";
import { withJournal } from "../../src/state/steps.js";
import { makeServer, run as git } from "../state/repositories.js";
import { machine } from "../state/places.js";
import { newFolder } from "../state/programs.js";
import { writeStateIn } from "../support/state-files.js";
import { call } from "./call.js";
import { headFor, openPlace } from "./place.js";

const committingAs = (name: string) => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: `${name}@example.org`,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: `${name}@example.org`,
});

interface Person {
  readonly clone: string;
  readonly env: Readonly<Record<string, string>>;
  /** Below the sign-in and the state, in the file of the clone. */
  write(settings: string): void;
  /** What it wrote, in a commit that all can have. */
  commit(settings: string): void;
  git(words: string): string;
  run(words: string): Promise<{ readonly exit: number | null; readonly told: string }>;
}

/** Both at the commit of which the banner says "One", which was applied. */
async function openTeam(state = newFolder()) {
  const place = await openPlace();
  const server = makeServer();
  const head = `${headFor(place)}state: "file:${state}"\n`;
  const personCalled = (name: string): Person => {
    const clone = server.clone(name);
    const env = { ...place.env, ...server.env, ...committingAs(name) };
    const person: Person = {
      clone,
      env,
      write: (settings) =>
        writeFileSync(join(clone, "portal.yaml"), `${head}settings: ${settings}\n`),
      commit(settings) {
        person.write(settings);
        person.git("commit --quiet --all --message changed");
        person.git("push --quiet");
      },
      git: (words) => git(clone, env, words.split(" ")),
      async run(words) {
        const { exit, stdout, stderr } = await call(words.split(" "), { cwd: clone, env });
        return { exit, told: `${stdout}${stderr}`.replace(/\s+/g, " ") };
      },
    };
    return person;
  };
  const anna = personCalled("anna");
  anna.commit(banner("One"));
  const ben = personCalled("ben");
  expect((await anna.run("apply --yes")).exit).toBe(0);
  const shown = async () => {
    const { exit, stdout } = await call(["state", "show", "--output", "json"], {
      cwd: anna.clone,
      env: anna.env,
    });
    expect(exit).toBe(0);
    return (JSON.parse(stdout) as { readonly state: State }).state;
  };
  const plant = (planted: State) => {
    writeStateIn(state, planted.portal.key, printState(planted));
  };
  return { ...place, anna, ben, shown, plant };
}

const banner = (text: string) => `{ informationalBanner: { text: ${text}, enabled: true } }`;
const NOTE =
  /The last apply that set "informationalBanner\.text", by anna at .* UTC, was made from commit [0-9a-f]{12}, which this checkout does not contain\./;

test("blocks an apply that would undo one from a newer commit", async () => {
  const { anna, ben, sandbox } = await openTeam();
  anna.commit(banner("Two"));
  expect((await anna.run("apply --yes")).told).not.toMatch(NOTE);

  const planned = await ben.run("plan");
  expect(planned.exit).toBe(0);
  expect(planned.told).toMatch(NOTE);
  expect((await ben.run("explain older-checkout")).told).toMatch(/ git pull /);
  for (const format of ["json", "markdown", "html"]) {
    const { told } = await ben.run(`plan --output ${format}`);
    expect([format, told.includes("which this checkout does not contain")]).toEqual([format, true]);
  }
  expect((await ben.run("status")).told).toMatch(
    /next The last apply was not made from this checkout's commits\. Update it: git pull/,
  );
  const quiet = await ben.run("plan --quiet --save plan.json");
  expect(quiet.told).toMatch(NOTE);
  expect(quiet.told).not.toMatch(/Saved|compared with|to set/);
  const blocked = await ben.run("apply --yes");
  expect(blocked.exit).toBe(7);
  expect(blocked.told).toMatch(NOTE);
  expect(sandbox.settings()).toMatchObject({ informationalBanner: { text: "Two" } });

  ben.git("pull --quiet");
  ben.write(banner("Three"));
  const forward = await ben.run("apply --yes");
  expect(forward.exit).toBe(0);
  expect(forward.told).not.toContain("checked out");
});

/** What was applied last, once more as its journal said it before anybody knew what became of it. */
function reopened(before: State, { history, leaves }: State): State {
  const { kind, time, by, planDigest, guards, changes, live } = history.at(-1) as Entry;
  return withJournal(before, {
    kind: kind === "rollback" ? kind : "apply",
    time,
    by: { ...by, host: machine.host },
    planDigest: planDigest ?? "",
    guards,
    changes,
    settings: live?.after ?? {},
    timeoutMs: 60_000,
    // As a run of this machine that the portal settles at once.
    process: processOf(machine),
    leaves: leaves.map(({ path, sent }) => ({ path, sent })),
  });
}

test("counts a killed apply like a complete one", async () => {
  const { anna, ben, shown, plant, sandbox } = await openTeam();
  const first = await shown();
  anna.commit(banner("Two"));
  await anna.run("apply --yes");
  const second = await shown();
  anna.commit(banner("Three"));
  await anna.run("apply --yes");
  const third = await shown();
  const newest = third.history.at(-1)?.by.commit?.slice(0, 12);
  // The older one of hers is settled, the newer one is not, and has arrived.
  plant({ ...reopened(second, third), serial: third.serial });

  const status = await ben.run("status");
  expect(status.told).toContain(
    `by anna as api-user, commit ${newest}: the portal shows all of this apply`,
  );
  expect(status.told).toMatch(
    /next The last apply was not made from this checkout's commits\. Update it: git pull/,
  );
  const planned = await ben.run("plan");
  expect(planned.told).toMatch(NOTE);
  expect(planned.told).toContain(`from commit ${newest}`);
  // It has not arrived, and may still.
  sandbox.change("self", { informationalBanner: { text: "One", enabled: false } });
  plant({ ...reopened(first, second), serial: third.serial });
  ben.write(banner("Other"));
  expect((await ben.run("plan")).told).toMatch(
    /An apply of "informationalBanner\.text" with an unknown outcome, by anna at .* UTC, was made from commit [0-9a-f]{12}, which this checkout does not contain\./,
  );
  // While the others wait for it, it arrives.
  sandbox.change("self", { informationalBanner: { text: "Two", enabled: true } });
  const blocked = await ben.run("apply --yes");
  expect(blocked.exit).toBe(7);
  expect(blocked.told).toMatch(
    /The portal shows all of the last apply; .*The last apply that set .*, by anna/,
  );
  expect((await anna.run("plan")).told).not.toContain("older-checkout");
});

test("reports undone applies and changes in a quiet run", async () => {
  const { anna, ben, sandbox } = await openTeam();
  anna.commit(banner("Two"));
  expect((await anna.run("apply --yes --quiet")).told).toBe("");
  const applied = await ben.run("apply --yes --quiet --allow older-checkout");
  expect(applied.exit).toBe(0);
  expect(applied.told).toMatch(NOTE);
  sandbox.change("self", { informationalBanner: { text: "Other", enabled: false } });
  expect((await ben.run("apply --yes --quiet --allow overwrite-drift")).told).toMatch(
    /✓ overwrite-drift "informationalBanner\.(text|enabled)" .* Allowed by --allow\. $/,
  );
  expect((await ben.run("plan --quiet")).told).toBe("");
});

test("does not block settings that no other commit applied", async () => {
  const { anna, ben } = await openTeam();
  anna.commit("{ informationalBanner: { text: One, enabled: true }, blockBetaApps: true }");
  expect((await anna.run("apply --yes")).exit).toBe(0);
  ben.write(banner("Other"));
  // Its file does not know of the other setting, which is released and stays as it is.
  expect((await ben.run("plan")).told).not.toMatch(/The last apply that set/);
  expect((await ben.run("apply --yes")).exit).toBe(0);
});

test("blocks an apply that would undo uncommitted changes that the file certainly lacks", async () => {
  const { anna, ben } = await openTeam();
  anna.write(banner("Two"));
  expect((await anna.run("apply --yes")).exit).toBe(0);
  expect((await ben.run("plan")).told).toMatch(
    /was made from uncommitted changes on top of commit [0-9a-f]{12}\./,
  );
  anna.write(banner("Three"));
  expect((await anna.run("plan")).told).not.toContain("older-checkout");
});

test("ends a hold by a changed file, not by an older one", async () => {
  const { anna, ben, shown } = await openTeam();
  anna.commit(banner("Two"));
  await anna.run("apply --yes");
  const { told } = await ben.run("rollback --yes");
  expect(told).not.toContain("so apply ends the hold");

  const status = await ben.run("status");
  expect(status.told).toMatch(/next The checkout is older than the rollback\. Update it: git pull/);
  const applied = await ben.run("apply --yes");
  expect(applied.exit).toBe(0);
  expect(applied.told).toMatch(
    /but is older than the rollback: update the checkout\. .*No changes\. /,
  );
  ben.write(`{ blockBetaApps: true, ${banner("One").slice(2)}`);
  const held = await ben.run("apply --yes");
  expect(held.exit).toBe(7);
  expect(held.told).toMatch(
    /The file agrees, but it is not newer than the one that was rolled back: anna applied that at .* from commit [0-9a-f]{12}, which this checkout does not contain\./,
  );
  expect((await shown()).hold).toBeDefined();

  // The file as it was before is a changed one where it comes after what was rolled back.
  ben.git("checkout --quiet portal.yaml");
  ben.git("pull --quiet");
  ben.git("revert --no-edit HEAD");
  expect((await ben.run("status")).told).toMatch(
    /next The file matches the portal\. End the hold: lintel apply portal\.yaml/,
  );
  const ended = await ben.run("apply --yes");
  expect(ended.exit).toBe(0);
  expect(ended.told).toMatch(/No changes\. 1 portal: unchanged\. The hold on/);
  expect((await shown()).hold).toBeUndefined();
});
