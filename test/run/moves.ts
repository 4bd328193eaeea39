// Kills runs at any moment while a state moves between places of every kind, and counts how far each had come.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../../src/sandbox/faults.js";
import { openHttp } from "../../src/http/http.js";
import type { Io } from "../../src/io.js";
import { identityOf } from "../../src/state/key.js";
import { openStores } from "../../src/state/open.js";
import type { State } from "../../src/state/state.js";
import { makeRun } from "../support/network.js";
import { BIN, environment } from "../support/run.js";
import { call } from "./call.js";
import { closeLane, openLane, type Lane } from "./lane.js";
import type { Keeping } from "./kept.js";

export interface Figures {
  readonly kills: number;
  /** How far the killed run had come → how often. */
  readonly ends: Readonly<Record<string, number>>;
}

const BANNER = "settings: { informationalBanner: { text: Hello, enabled: true } }\n";

/** Folders, which need nothing. */
function folderKeeping(): Keeping {
  let folders = 0;
  const fresh = async () => ({ address: `file:kept-${++folders}` });
  return { name: "file:", byHand: [], fresh };
}

/** From a folder to the first of them and so around, then around by every second of them, and so on: from each to each. */
export async function killMoves(kills: number, keepings: readonly Keeping[]): Promise<Figures> {
  const lane = await openLane();
  try {
    const places = [folderKeeping(), ...keepings];
    // By every second of four places one would never come to the others.
    assert.equal(places.length, 5);
    const random = createRandom(1);
    const ends = new Map<string, number>();
    let from = await openAt(lane, places[0]);
    writePortal(lane, from.address);
    await succeed(lane, "apply --yes", from.env);
    let [tookMs, moves, killed, at] = [0, 0, 0, 0];
    while (killed < kills) {
      // The first time around nothing is killed, which tells how long such a move takes.
      const isFree = moves < places.length;
      at = (at + stepOf(moves++, places.length)) % places.length;
      const to = await openAt(lane, places[at]);
      const env = { ...from.env, ...to.env };
      const words = `state move --yes portal.yaml ${to.address}`;
      const startedMs = performance.now();
      const isKilled = await runAndKill(
        lane,
        words,
        env,
        isFree ? undefined : (0.4 + 0.6 * random()) * tookMs,
      );
      if (isFree) tookMs = Math.max(tookMs, performance.now() - startedMs);
      for (const { keeping, address } of isKilled ? [from, to] : []) {
        for (const [by] of keeping.byHand) await succeed(lane, `${by} portal.yaml ${address}`, env);
      }
      const [here, there] = [await from.read(), await to.read()];
      // Nobody can ever go on at both, and somewhere it stands whole.
      if (there) assert.ok(here?.moved, words);
      assert.ok(here, words);
      const far = `${here.moved ? "marked" : "untouched"}, ${there ? "arrived" : "not arrived"}`;
      const isSaid = saidIn(lane) === to.address;
      const told = await call(["plan"], { cwd: lane.folder.path, env });
      if (here.moved && !isSaid) {
        assert.equal(told.exit, 3, words);
        assert.ok(told.stdout.includes(`was moved to "${to.address}"`), told.stdout);
      } else assert.match(told.stdout, /^No changes\./m, words);
      if (isKilled) ends.set(far, (ends.get(far) ?? 0) + 1);
      if (isKilled) killed++;
      await succeed(lane, words, env);
      assert.match(await succeed(lane, "plan", to.env), /^No changes\./m, words);
      const arrived = await to.read();
      const kinds = arrived?.history.map(({ kind }) => kind);
      assert.deepEqual(kinds, ["apply", ...Array.from({ length: moves }, () => "move")], words);
      from = to;
    }
    return { kills: killed, ends: Object.fromEntries(ends) };
  } finally {
    await closeLane(lane);
  }
}

/** 1 for the first times, 2 for as many, and so on, and then 1 again. */
function stepOf(move: number, places: number): number {
  return 1 + (Math.floor(move / places) % (places - 1));
}

interface Opened {
  readonly keeping: Keeping;
  readonly address: string;
  readonly env: Readonly<Record<string, string>>;
  read(): Promise<State | undefined>;
}

/** A place that was never used. */
async function openAt(lane: Lane, keeping: Keeping | undefined): Promise<Opened> {
  if (!keeping) throw new Error("there is no place");
  const { address, env: own = {} } = await keeping.fresh(lane.folder.path);
  const env = { ...lane.env, ...own };
  return { keeping, address, env, read: () => readAt(lane, address, env) };
}

async function succeed(lane: Lane, words: string, env: Opened["env"]): Promise<string> {
  const { exit, stdout, stderr } = await call(words.split(" "), { cwd: lane.folder.path, env });
  assert.equal(exit, 0, `${words}\n${stdout}${stderr}`);
  return stdout;
}

function writePortal({ sandbox, folder }: Lane, state: string): void {
  const { portalUrl, signInUrl } = sandbox;
  writeFileSync(
    join(folder.path, "portal.yaml"),
    `targetVersion: "12.1"\nportal: { url: "${portalUrl}" }\nsignIn: { url: "${signInUrl}" }\nstate: "${state}"\n${BANNER}`,
  );
}

function saidIn({ folder }: Lane): string | undefined {
  const text = readFileSync(join(folder.path, "portal.yaml"), "utf8");
  return /^state: "?(.*?)"?$/m.exec(text)?.[1];
}

/** Also what was moved away. */
async function readAt(
  { sandbox, folder }: Lane,
  address: string,
  env: Readonly<Record<string, string>>,
): Promise<State | undefined> {
  const io: Io = { ...makeRun().io, env, cwd: folder.path };
  const assertAllowed = () => {};
  const stores = openStores({ io, http: openHttp(io, { assertAllowed }), assertAllowed });
  try {
    const portal = identityOf(sandbox.portalUrl, "self");
    const store = stores.open({ address, file: "portal.yaml", portal, mayBeMoved: true });
    return (await store.read()).state;
  } finally {
    await stores.close();
  }
}

/** Whether it was killed before its end; it never is where no moment is given. */
async function runAndKill(
  { folder }: Lane,
  words: string,
  env: Readonly<Record<string, string>>,
  afterMs: number | undefined,
): Promise<boolean> {
  const child = spawn(process.execPath, [BIN, ...words.split(" ")], {
    cwd: folder.path,
    env: environment(env),
    stdio: "ignore",
  });
  const timer =
    afterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), afterMs);
  const signal = await new Promise((done, fail) => {
    child.on("error", fail).on("close", (_exit, by) => done(by));
  });
  clearTimeout(timer);
  return signal === "SIGKILL";
}
