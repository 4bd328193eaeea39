// Interrupts: one lets the step end, and leaves nothing locked or in doubt; two end the run at once, and the next one recovers.
import { spawn, type ChildProcess } from "node:child_process";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Received } from "../../src/sandbox/faults.js";
import { BIN, environment } from "../support/run.js";
import { draftsOf } from "./lane.js";
import { stand } from "./middle.js";
import { headFor, isUpdate, openPlace, type Place } from "./place.js";

const PORTAL = { informationalBanner: { text: "Old", enabled: true }, blockBetaApps: false };
const WANTED = "settings: { informationalBanner: { text: New }, blockBetaApps: true }\n";

async function arrange(): Promise<Place> {
  const place = await openPlace({}, PORTAL);
  place.write(WANTED);
  return place;
}

/** Does it when such a request arrives for the so many-th time, before that is answered. */
function when(
  { sandbox }: Place,
  isMeant: (received: Received) => boolean,
  action: () => void,
  nth = 1,
): void {
  let times = 0;
  // Only looks on: no request is what it is for.
  sandbox.faults.push({
    kind: "hang",
    match: (received) => {
      if (isMeant(received) && ++times === nth) action();
      return false;
    },
  });
}

const asksFor =
  (part: string) =>
  ({ path }: Received): boolean =>
    path.includes(part);
const isReading = ({ method, path }: Received): boolean =>
  method === "GET" && path.includes("/settings");

describe("one interrupt", () => {
  const BEFORE: Readonly<Record<string, readonly [isMeant: typeof isReading, nth: number]>> = {
    "during the sign-in": [asksFor("loginadmin"), 1],
    "while the portal is read": [isReading, 1],
    "while the account is looked up": [asksFor("getuser"), 1],
    "while the portal is read again, under the lock": [isReading, 2],
  };

  test.each(Object.entries(BEFORE))("%s ends the run before anything is sent", async (_, at) => {
    const [isMeant, nth] = at;
    const place = await openPlace({}, PORTAL);
    // A portal that does not tell whose account it is leaves that to the sign-in service.
    const retell = (answer: string) =>
      answer.replace(/"user":\{[^}]*\}/, '"user":{"role":"org_admin"}');
    const middle = await stand(place.sandbox, { retell });
    const through = (text: string) => text.replaceAll(place.sandbox.url, middle);
    place.write(WANTED, { head: through(headFor(place)) });
    const interruption = new AbortController();
    when(place, isMeant, () => interruption.abort(), nth);
    const ran = await place.run("apply --yes", { signal: interruption.signal });
    expect(ran.exit).toBe(130);
    expect(ran.stderr).not.toContain("Finishing");
    expect(place.updates()).toEqual([]);
    const state = () => place.state(through(place.sandbox.portalUrl));
    expect(state()).toBeUndefined();
    expect(place.sandbox.settings()).toEqual(PORTAL);
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    expect(state()?.serial).toBe(2);
  });

  test.each<readonly [string, typeof isReading, number]>([
    ["during the update", isUpdate, 1],
    ["while the portal is read back", isReading, 3],
  ])("%s lets the update and its verification finish", async (_, isMeant, nth) => {
    const place = await arrange();
    const interruption = new AbortController();
    when(place, isMeant, () => interruption.abort(), nth);
    const ran = await place.run("apply --yes", { signal: interruption.signal });
    expect(ran.exit).toBe(0);
    expect(interruption.signal.aborted).toBe(true);
    expect(ran.stderr).toContain("Finishing what was begun; Ctrl-C again stops at once.\n");
    const { journal, serial, history } = place.state() ?? {};
    expect([journal, serial, history?.length]).toEqual([undefined, 2, 1]);
    expect(draftsOf(place)).toEqual([]);
    expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
  });

  test("during the first of three portals completes it, and starts no other", async () => {
    const place = await openPlace({ portals: 2 }, PORTAL);
    const ids = ["self", "portal-1", "portal-2"];
    for (const [at, id] of ids.entries()) {
      place.write(WANTED, { name: `portals/${at}.yaml`, head: headFor(place, `, id: ${id}`) });
    }
    const interruption = new AbortController();
    when(place, isUpdate, () => interruption.abort());
    const { signal } = interruption;
    const ran = await place.run("apply --yes --concurrency 1 --output json", { signal });
    expect(ran.exit).toBe(130);
    const { portals } = JSON.parse(ran.stdout) as { portals: { status: string }[] };
    expect(portals.map(({ status }) => status)).toEqual(["applied", "skipped", "skipped"]);
    expect(place.updates()).toHaveLength(1);
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    expect(place.updates()).toHaveLength(3);
  });
});

/** The command in a process of its own. */
function start({ folder, env }: Place, words: string) {
  const child = spawn(process.execPath, [BIN, ...words.split(" ")], {
    cwd: folder.path,
    env: environment(env),
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => (said += part));
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const says = (words: RegExp) =>
    new Promise<void>((done, fail) => {
      child.stderr.on("data", () => {
        if (words.test(said)) done();
      });
      void ended.then(() => fail(new Error(`it only said: ${said}`)));
    });
  return { child, ended, says, said: () => said };
}

/** Interrupts it again and again: two that come at once are one. */
function insist(child: ChildProcess): void {
  child.kill("SIGINT");
  const timer = setInterval(() => child.kill("SIGINT"), 20);
  child.on("exit", () => clearInterval(timer));
}

describe("a process", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "that waits for another run stops waiting at one %s",
    async (signal) => {
      const place = await arrange();
      place.sandbox.faults.push({ kind: "hang", match: isUpdate });
      const first = start(place, "apply --yes");
      while (place.updates().length === 0) await new Promise((done) => setTimeout(done, 5));
      const second = start(place, "apply --yes");
      await second.says(/Waiting for up to/);
      second.child.kill(signal);
      expect(await second.ended).toBe(130);
      expect(place.updates()).toHaveLength(1);
      expect(place.state()?.journal).toBeDefined();
      insist(first.child);
      await first.ended;
    },
  );

  test("ends at once at the second interrupt, and the next one recovers", async () => {
    for (const isTaken of [true, false]) {
      const place = await arrange();
      place.sandbox.faults.push({ kind: "hang", match: isUpdate, isHandled: isTaken });
      const run = start(place, "apply --yes");
      when(place, isUpdate, () => insist(run.child));
      // The one that looks on must be asked first.
      place.sandbox.faults.reverse();
      expect(await run.ended).toBe(130);
      expect(run.said().slice(run.said().indexOf("Finishing"))).toBe(
        `Finishing what was begun; Ctrl-C again stops at once.
Stopped at once. What becomes of an update that was under way is unknown:
  portal: sending
See:
  lintel status portal.yaml
`,
      );
      expect(place.state()?.journal).toBeDefined();
      expect((await place.run("plan")).stdout).not.toMatch(/^No changes\./m);
      place.sandbox.faults.length = 0;
      expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
      expect(place.updates()).toHaveLength(isTaken ? 1 : 2);
      expect(place.state()?.journal).toBeUndefined();
      expect(place.state()?.history).toHaveLength(1);
      expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "New" } });
    }
  });
});
