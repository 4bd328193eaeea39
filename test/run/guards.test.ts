// Every guard stops an apply and no plan, names itself and its flag, and opens for nothing but its own name.
import { describe, expect, test } from "vitest";
import { GUARDS, type GuardName } from "../../src/guard.js";
import type { JsonObject } from "../../src/lib/json.js";
import type { SandboxOptions } from "../../src/sandbox/options.js";
import { run as git } from "../state/repositories.js";
import { headFor, openPlace, type Place } from "./place.js";

const AUTHORS = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};

interface Case {
  readonly portal?: JsonObject;
  readonly sandbox?: SandboxOptions;
  /** What was applied before. */
  readonly earlier?: string;
  /** Whether that was applied from a commit of another branch. */
  readonly isElsewhere?: true;
  /** What somebody changed by hand since then. */
  readonly byHand?: JsonObject;
  readonly file: string;
  readonly isNeverRead?: true;
}

const TEXTS = ["informationalBanner", "anonymousAccessNotice", "authenticatedAccessNotice"];
const wide = (text: string) =>
  TEXTS.map(
    (name) =>
      `  ${name}: { text: ${text}1, ${name === "informationalBanner" ? "bgColor" : "title"}: ${text === "A" ? "black" : "navy"}, enabled: true }\n`,
  );

const CASES: Readonly<Record<GuardName, Case>> = {
  "disable-notice": {
    portal: { informationalBanner: { text: "Old", enabled: true } },
    file: "settings: { informationalBanner: { enabled: false } }\n",
  },
  disconnect: {
    // As real portals spell it.
    portal: { portalConfigProperties: { portalAGOConfigEnabled: true } },
    file: "settings: { portalConfigProperties: { portalPlatformOnlineConfigEnabled: false } }\n",
  },
  "shrink-list": {
    portal: {
      portalConfigProperties: {
        httpsDomains: ["a.example.com", "b.example.com", "c.example.com", "d.example.com"],
      },
    },
    file: "settings: { portalConfigProperties: { httpsDomains: [a.example.com] } }\n",
  },
  "wide-change": {
    earlier: `settings:\n${wide("A").join("")}`,
    file: `settings:\n${wide("B").join("")}`,
  },
  "older-portal": {
    sandbox: { version: "11.5" },
    file: "settings: { blockBetaApps: true }\n",
  },
  "overwrite-drift": {
    earlier: "settings: { informationalBanner: { text: Read-only on Saturday } }\n",
    byHand: { informationalBanner: { text: "The power is out." } },
    file: "settings: { informationalBanner: { text: Read-only on Saturday } }\n",
  },
  "older-checkout": {
    earlier: "settings: { informationalBanner: { text: Reviewed } }\n",
    isElsewhere: true,
    file: "settings: { informationalBanner: { text: Older } }\n",
  },
  "token-lifetime": {
    portal: { portalConfigProperties: { tokenExpiration: 60 } },
    file: "settings: { portalConfigProperties: { tokenExpiration: 120 } }\n",
  },
  "unread-portal": {
    isNeverRead: true,
    file: "settings: { informationalBanner: { text: New } }\n",
  },
};

async function arrange(wanted: Case): Promise<Place> {
  const { portal = {}, sandbox, earlier, isElsewhere, byHand, file, isNeverRead } = wanted;
  const place = await openPlace(sandbox, portal);
  const inGit = (words: string) => {
    if (isElsewhere) git(place.folder.path, AUTHORS, words.split(" "));
  };
  inGit("init --quiet --initial-branch main");
  inGit("commit --quiet --allow-empty --message begin");
  if (earlier !== undefined) {
    inGit("switch --quiet --create side");
    place.write(earlier);
    inGit("add portal.yaml");
    inGit("commit --quiet --message reviewed");
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    inGit("switch --quiet main");
  }
  if (byHand) place.sandbox.change("self", byHand);
  place.write(file, { head: headFor(place, isNeverRead ? ", read: never" : "") });
  return place;
}

describe.each(GUARDS)("%s", (name) => {
  const others = GUARDS.filter((each) => each !== name);

  test("does not block a plan, which names it", async () => {
    const place = await arrange(CASES[name]);
    const ran = await place.run("plan --output json");
    expect(ran.exit).toBe(0);
    const { portals } = JSON.parse(ran.stdout) as { portals: { guards: { name: string }[] }[] };
    expect(portals[0]?.guards.map((guard) => guard.name)).toEqual([name]);
  });

  test("blocks an apply, even if all other guards are allowed", async () => {
    const place = await arrange(CASES[name]);
    const [portal, state, updates] = [place.sandbox.settings(), place.state(), place.updates()];
    for (const allowed of [
      "",
      ...others.map((each) => ` --allow ${each}`),
      ` ${others.map((each) => `--allow ${each}`).join(" ")}`,
    ]) {
      const ran = await place.run(`apply --yes${allowed}`);
      expect(ran.exit).toBe(7);
      expect(ran.stdout + ran.stderr).toContain(`✗ ${name} `);
      expect(ran.stdout + ran.stderr).toContain(`See: lintel explain ${name}\n`);
    }
    expect(place.sandbox.settings()).toEqual(portal);
    expect(place.state()).toEqual(state);
    expect(place.updates()).toEqual(updates);
  });

  test("blocks a saved plan that was made without its option", async () => {
    const place = await arrange(CASES[name]);
    const updates = place.updates();
    await place.run("plan --save plan.json");
    expect(await place.run("apply plan.json")).toMatchObject({ exit: 7 });
    expect(place.updates()).toEqual(updates);
  });

  test("must be allowed again when a saved plan is applied", async () => {
    const place = await arrange(CASES[name]);
    const updates = place.updates();
    const { stderr } = await place.run(`plan --save plan.json --allow ${name},${others[0]}`);
    const again = `lintel apply plan.json --allow ${name}`;
    expect(stderr).toContain(`${again}\n`);
    const stopped = await place.run("apply plan.json");
    expect([stopped.exit, stopped.stderr]).toEqual([7, expect.stringContaining(`${again}\n`)]);
    const other = await place.run(`apply plan.json --allow ${others[0]}`);
    expect([other.exit, other.stderr]).toEqual([7, expect.stringContaining(`${again}\n`)]);
    const more = await place.run(`apply plan.json --allow ${name} --allow ${others[1]}`);
    expect([more.exit, more.stderr]).toEqual([
      64,
      expect.stringContaining(`was made without --allow ${others[1]}.`),
    ]);
    expect(place.updates()).toEqual(updates);
    expect(await place.run(again.replace("lintel ", ""))).toMatchObject({ exit: 0 });
    expect(place.state()?.history.at(-1)?.guards).toMatchObject([{ guard: name, how: "--allow" }]);
  });

  test("is allowed by its name, which the history records", async () => {
    const place = await arrange(CASES[name]);
    expect(await place.run(`apply --yes --allow ${name}`)).toMatchObject({ exit: 0 });
    expect(place.state()?.history.at(-1)?.guards).toMatchObject([{ guard: name, how: "--allow" }]);
  });

  test("is allowed by an entry of the file until its end", async () => {
    const place = await arrange(CASES[name]);
    const { file, isNeverRead } = CASES[name];
    const head = headFor(place, isNeverRead ? ", read: never" : "");
    const allow = (until: string) =>
      `allow: [{ guard: ${name}, until: ${until}, reason: Agreed in the review }]\n`;
    place.write(file + allow("2020-01-01"), { head });
    const late = await place.run("apply --yes");
    expect(late.exit).toBe(7);
    expect(late.stdout + late.stderr).toContain("2020-01-01");
    place.write(file + allow("2999-12-31"), { head });
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    expect(place.state()?.history.at(-1)?.guards).toMatchObject([
      { guard: name, how: "file", reason: "Agreed in the review" },
    ]);
  });
});
