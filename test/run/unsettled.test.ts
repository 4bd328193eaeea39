// What goes wrong between the send and the last write: the exit status is 8, it says that the portal may have taken the update, and the next apply settles it.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { BIN, environment, runProgram } from "../support/run.js";
import { statePlace } from "./lane.js";
import { stand } from "./middle.js";
import { headFor, isUpdate, openPlace, type Place } from "./place.js";
import { canMount } from "../support/mount.js";

const PORTAL = { informationalBanner: { text: "Old", enabled: true }, blockBetaApps: false };
const WANTED = "settings: { informationalBanner: { text: New }, blockBetaApps: true }\n";

/** The state of a place before the apply that the test is about. */
const older = new WeakMap<Place, Buffer>();

async function arrange(): Promise<Place> {
  const place = await openPlace({}, PORTAL);
  place.write("settings: { blockBetaApps: false }\n");
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  older.set(place, readFileSync(newestOf(place)));
  place.write(WANTED);
  return place;
}

/** Does it while the portal handles the update. */
function during({ sandbox }: Place, action: () => void): void {
  let isDone = false;
  sandbox.faults.push({
    kind: "hang",
    // Only looks on: no request is what it is for.
    match: (received) => {
      if (isUpdate(received) && !isDone) action();
      isDone ||= isUpdate(received);
      return false;
    },
  });
}

/** The newest revision of the state. */
const newestOf = (place: Place) => statePlace(place) ?? "";
const revisionsOf = (place: Place) => dirname(newestOf(place));

interface Mishap {
  readonly happens: (place: Place) => void;
  readonly says: RegExp;
  /** What somebody does about it. */
  readonly mend?: (place: Place) => void;
}

const MISHAPS: Readonly<Record<string, Mishap>> = {
  "the state is removed": {
    happens: (place) => rmSync(revisionsOf(place), { recursive: true }),
    says: /Another run wrote the state/,
  },
  "its newest revision is removed": {
    happens: (place) => rmSync(newestOf(place)),
    says: /Another run wrote the state/,
  },
  "the state is put back to an older one": {
    happens: (place) => {
      writeFileSync(newestOf(place), older.get(place) ?? "");
    },
    says: /Another run wrote the state/,
  },
  "the state is damaged": {
    happens: (place) => writeFileSync(newestOf(place), "{"),
    says: /is damaged/,
    mend: (place) => rmSync(newestOf(place)),
  },
  "a folder takes the place of the state": {
    happens: (place) => {
      const newest = newestOf(place);
      rmSync(newest);
      mkdirSync(newest);
    },
    says: /cannot be written/,
    mend: (place) => rmSync(newestOf(place), { recursive: true }),
  },
  "the folder of the state is moved away": {
    happens: (place) =>
      renameSync(join(place.folder.path, ".lintel"), join(place.folder.path, "elsewhere")),
    says: /Another run wrote the state/,
    mend: (place) => {
      rmSync(join(place.folder.path, ".lintel"), { recursive: true, force: true });
      renameSync(join(place.folder.path, "elsewhere"), join(place.folder.path, ".lintel"));
    },
  },
};

async function expectSettled(place: Place): Promise<void> {
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "New" } });
  expect(place.state()?.journal).toBeUndefined();
  expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
}

describe.each(Object.entries(MISHAPS))("during the update, %s", (_, mishap) => {
  test("the run exits with 8, and reports that the portal took it", async () => {
    const place = await arrange();
    during(place, () => mishap.happens(place));
    const ran = await place.run("apply --yes --output json");
    expect(ran.exit).toBe(8);
    const { portals } = JSON.parse(ran.stdout) as {
      portals: { failure: { code: string; message: string; help: string } }[];
    };
    const { code, message = "", help = "" } = portals[0]?.failure ?? {};
    expect(code).toBe("outcome-unknown");
    expect(message).toMatch(/^The portal has taken the update/);
    expect(message).toMatch(mishap.says);
    expect(help).toContain("run the same command again");
    expect(place.updates()).toHaveLength(1);
    mishap.mend?.(place);
    await expectSettled(place);
    expect(place.updates()).toHaveLength(1);
  });

  test("and the portal refuses it: the run exits with 8, because the journal stays open", async () => {
    const place = await arrange();
    during(place, () => mishap.happens(place));
    const error = { code: 400, message: "Unable to update.", details: [] };
    place.sandbox.faults.push({ kind: "error-json", error, match: isUpdate });
    const ran = await place.run("apply --yes");
    expect(ran.exit).toBe(8);
    expect(ran.stdout.replace(/\s+/g, " ")).toMatch(/did not take the update .*Unable to update/);
    mishap.mend?.(place);
    await expectSettled(place);
  });
});

test.skipIf(!canMount())(
  "a full disk: the portal took it (skipped without the right to mount)",
  async () => {
    const place = await openPlace({}, PORTAL);
    const folder = join(place.folder.path, ".lintel");
    mkdirSync(folder);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k,mode=0700", "none", folder]);
    onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
    place.write(WANTED);
    during(place, () => {
      const ballast = join(folder, "ballast");
      for (let kilobytes = 64; kilobytes > 0; kilobytes -= 4) {
        try {
          writeFileSync(ballast, Buffer.alloc(1024 * kilobytes));
          return;
        } catch {
          // Less is tried next.
        }
      }
    });
    const ran = await place.run("apply --yes");
    expect(ran.exit).toBe(8);
    expect(ran.stdout.replace(/\s+/g, " ")).toMatch(/has taken the update, .* the disk is full/);
    rmSync(join(folder, "ballast"));
    await expectSettled(place);
    expect(place.updates()).toHaveLength(1);
  },
);

describe("a portal that asks to retry in a minute", () => {
  async function arrangeBusy(): Promise<Place> {
    const place = await arrange();
    const url = await stand(place.sandbox, {
      isBusy: (path, times) => path.endsWith("/update") && times === 1,
    });
    const { url: own, portalUrl } = place.sandbox;
    place.write(WANTED, { head: headFor(place).replace(portalUrl, portalUrl.replace(own, url)) });
    return place;
  }

  test("gets the update then, once", async () => {
    const place = await arrangeBusy();
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    expect(place.updates()).toHaveLength(1);
  });
});

test.each(["stdout", "stderr"] as const)(
  "settles an update even if the reader of %s leaves",
  async (name) => {
    const place = await arrange();
    const words = ["apply", "--yes", "--verbose"];
    const env = environment(place.env);
    const child = spawn(process.execPath, [BIN, ...words], { cwd: place.folder.path, env });
    const other = name === "stdout" ? child.stderr : child.stdout;
    other.resume();
    during(place, () => child[name].destroy());
    expect(await new Promise((done) => child.on("exit", done))).toBe(0);
    expect(place.state()?.journal).toBeUndefined();
    expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "New" } });
  },
);

test.skipIf(!existsSync("/dev/full"))(
  "a full disk for the output stops no update, and sets the exit status",
  async () => {
    for (const stream of [1, 2]) {
      const place = await arrange();
      const words = ["-c", `exec "$0" "$@" ${stream}> /dev/full`, process.execPath, BIN];
      const { exit } = await runProgram("sh", [...words, "apply", "--yes", "--verbose"], {
        cwd: place.folder.path,
        env: place.env,
      });
      expect(exit).toBe(1);
      expect(place.state()?.journal).toBeUndefined();
      expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "New" } });
    }
  },
);

test("pull does not overwrite a file whose update may still arrive", async () => {
  const place = await arrange();
  place.sandbox.faults.push({ kind: "drop-before", match: isUpdate });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 8 });
  const file = join(place.folder.path, "portal.yaml");
  const written = readFileSync(file, "utf8");
  const ran = await place.run("pull");
  expect(ran).toMatchObject({ exit: 8 });
  expect(ran.stderr).toContain("is not settled");
  expect(ran.stderr).toContain("lintel apply portal.yaml");
  expect(readFileSync(file, "utf8")).toBe(written);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(await place.run("pull")).toMatchObject({ exit: 0 });
});
