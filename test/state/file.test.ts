// States in a folder: the contract, and what only files can get wrong.
import { fileBackend } from "../../src/state/file/backend.js";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { printState } from "../../src/state/format.js";
import { contract } from "./contract.js";
import { filePlace, filesIn, machine, newFolder, send } from "./places.js";
import { holderFor, PORTAL, stateAfter } from "./samples.js";

describe("file:", () => {
  contract(fileBackend, filePlace);
});

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);
const STATE = `${PORTAL.key}.json`;
const LOCKS = `${PORTAL.key}.lock`;

async function writeOnce(folder: string, serial = 1): Promise<void> {
  const store = filePlace(folder).open();
  const holder = holderFor(machine);
  await store.lock(holder);
  try {
    await store.write(stateAfter(serial), serial - 1);
  } finally {
    await store.unlock(holder);
  }
}

describe("files", () => {
  test("the folder is made for its owner alone, and holds the state and the last lock", async () => {
    const folder = join(newFolder(), "deep", "down");
    await writeOnce(folder);
    expect(modeOf(folder)).toBe("700");
    expect(filesIn(folder)).toEqual([".gitignore", STATE, join(LOCKS, "1")]);
    expect([STATE, LOCKS, join(LOCKS, "1")].map((name) => modeOf(join(folder, name)))).toEqual([
      "600",
      "700",
      "600",
    ]);
    await writeOnce(folder, 2);
    expect(filesIn(folder)).toEqual([".gitignore", STATE, join(LOCKS, "2")]);
  });

  test("in a folder that is made by hand the state is still for its owner alone", async () => {
    const folder = newFolder();
    chmodSync(folder, 0o755);
    await writeOnce(folder);
    expect([STATE, LOCKS, join(LOCKS, "1")].map((name) => modeOf(join(folder, name)))).toEqual([
      "600",
      "700",
      "600",
    ]);
  });

  test("in a folder that a group shares, everything is for the group", async () => {
    const folder = newFolder();
    chmodSync(folder, 0o2770);
    await writeOnce(folder);
    expect([STATE, LOCKS, join(LOCKS, "1")].map((name) => modeOf(join(folder, name)))).toEqual([
      "660",
      "2770",
      "660",
    ]);
  });

  test("the rights that somebody gave a state stay", async () => {
    const folder = newFolder();
    await writeOnce(folder);
    chmodSync(join(folder, STATE), 0o644);
    await writeOnce(folder, 2);
    expect(modeOf(join(folder, STATE))).toBe("644");
  });

  test("leftovers are cleared away, and never taken for a state or a lock", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, LOCKS));
    const left = [join(folder, LOCKS, "0b5e.draft"), join(folder, LOCKS, "0b5e-7.draft")];
    for (const path of left) writeFileSync(path, printState(stateAfter(7)));
    const store = filePlace(folder).open();
    expect(await store.read()).toBeUndefined();
    expect(await store.holder()).toBeUndefined();
    await writeOnce(folder);
    expect(left.map(existsSync)).toEqual([false, false]);
  });

  test("two portals share a folder and nothing else", async () => {
    const folder = newFolder();
    await filePlace(folder).open().lock(holderFor(machine));
    writeFileSync(join(folder, "gis.example.com-portal-self2.json"), "theirs");
    mkdirSync(join(folder, "gis.example.com-portal-self2.lock"));
    writeFileSync(join(folder, "gis.example.com-portal-self2.lock", "x.draft"), "theirs");
    await filePlace(folder).open().forceUnlock(holderFor(machine));
    await writeOnce(folder);
    expect(filesIn(folder).filter((name) => name.includes("self2"))).toHaveLength(2);
  });

  test("a folder that is a file, or a state that is a folder, is refused in words", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "file"), "");
    const inFile = filePlace(join(folder, "file")).open();
    await expect(inFile.read()).rejects.toMatchObject({ code: "state-not-readable" });
    await expect(inFile.lock(holderFor(machine))).rejects.toMatchObject({
      code: "state-not-writable",
      message: expect.stringContaining("a part of the path is a file") as string,
    });
    mkdirSync(join(folder, STATE));
    await expect(filePlace(folder).open().read()).rejects.toMatchObject({
      code: "state-not-readable",
    });
  });

  test("a link is no state, and no way out of the folder", async () => {
    for (const target of ["nowhere", "state.json"]) {
      const [folder, outside] = [newFolder(), newFolder()];
      await writeOnce(outside);
      renameSync(join(outside, STATE), join(outside, "state.json"));
      const before = readFileSync(join(outside, "state.json"), "utf8");
      symlinkSync(join(outside, target), join(folder, STATE));
      await expect(filePlace(folder).open().read()).rejects.toMatchObject({
        code: "state-not-readable",
        message: expect.stringMatching(/cannot be read: it is a link\.$/) as string,
      });
      await expect(writeOnce(folder)).rejects.toMatchObject({ code: "state-not-readable" });
      expect(existsSync(join(outside, "nowhere"))).toBe(false);
      expect(readFileSync(join(outside, "state.json"), "utf8")).toBe(before);
    }
  });

  test("a pipe, and a file beyond all bounds, are told for what they are, at once", async () => {
    const folder = newFolder();
    execFileSync("mkfifo", [join(folder, STATE)]);
    const why = (words: string) => ({
      code: "state-not-readable",
      message: expect.stringContaining(words) as string,
    });
    await expect(filePlace(folder).open().read()).rejects.toMatchObject(why("it is a pipe"));
    rmSync(join(folder, STATE));
    writeFileSync(join(folder, STATE), "");
    truncateSync(join(folder, STATE), 2 ** 40);
    await expect(filePlace(folder).open().read()).rejects.toMatchObject(
      why("it is larger than 64 MiB"),
    );
  });

  test("a lock that is a pipe or a link is waited for by nobody", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, LOCKS));
    execFileSync("mkfifo", [join(folder, LOCKS, "1")]);
    const refused = { code: "state-not-readable" };
    await expect(filePlace(folder).open().holder()).rejects.toMatchObject(refused);
    await expect(writeOnce(folder)).rejects.toMatchObject(refused);
    rmSync(join(folder, LOCKS, "1"));
    symlinkSync("/dev/zero", join(folder, LOCKS, "1"));
    await expect(filePlace(folder).open().holder()).rejects.toMatchObject(refused);
  });
});

describe("a process that is killed", () => {
  test("a lock folder that is a link or a file is refused by its name, and nothing behind it is touched", async () => {
    for (const [target, why] of [
      ["full", "it is a link"],
      ["nowhere", "it is a link"],
      [undefined, "it is a file, and no folder"],
    ] as const) {
      const [folder, outside] = [newFolder(), newFolder()];
      await writeOnce(folder);
      rmSync(join(folder, LOCKS), { recursive: true });
      mkdirSync(join(outside, "full"));
      for (const name of ["1", "2", "x.draft"]) writeFileSync(join(outside, "full", name), "mine");
      if (target) symlinkSync(join(outside, target), join(folder, LOCKS));
      else writeFileSync(join(folder, LOCKS), "mine");
      const before = [filesIn(folder), filesIn(outside)];
      const store = filePlace(folder).open();
      const refused = {
        code: "state-not-readable",
        message: `The lock "${join(folder, LOCKS)}" cannot be read: ${why}.`,
      };
      await expect(store.holder()).rejects.toMatchObject(refused);
      await expect(store.lock(holderFor(machine))).rejects.toMatchObject(refused);
      await expect(store.forceUnlock(holderFor(machine))).rejects.toMatchObject(refused);
      expect([filesIn(folder), filesIn(outside)]).toEqual(before);
    }
  });

  test("a lock folder that becomes a link while the lock is held takes no state out of the folder", async () => {
    const [folder, outside] = [newFolder(), newFolder()];
    const store = filePlace(folder).open();
    await store.lock(holderFor(machine));
    renameSync(join(folder, LOCKS), join(outside, "locks"));
    symlinkSync(join(outside, "locks"), join(folder, LOCKS));
    await expect(store.write(stateAfter(1), 0)).rejects.toMatchObject({
      message: expect.stringContaining("it is a link") as string,
    });
    expect([existsSync(join(folder, STATE)), filesIn(outside)]).toEqual([false, ["locks/1"]]);
  });

  test("the folder that an address names may be reached by a link, as by any other path", async () => {
    const [folder, outside] = [newFolder(), newFolder()];
    symlinkSync(outside, join(folder, "states"));
    await writeOnce(join(folder, "states"));
    expect(filesIn(outside)).toContain(STATE);
  });

  test(
    "at any call to the file system leaves a whole state, and the next one goes on",
    { timeout: 300_000 },
    async () => {
      const errand = { portalUrl: PORTAL.url, rounds: 1 };
      const rehearsal = newFolder();
      await writeOnce(rehearsal);
      const { said } = await (await send({ ...errand, address: `file:${rehearsal}` })).ended;
      const [, list = "[]"] = /^calls (.*)$/m.exec(said) ?? [];
      const calls = JSON.parse(list) as string[];
      expect(calls).toEqual(
        expect.arrayContaining(["linkSync", "rename", "writeFileSync", "fsync", "unlinkSync"]),
      );

      // What is renamed has been written to the disk, and the new name is afterwards.
      const renamed = calls.indexOf("rename");
      expect(calls.slice(0, renamed)).toContain("fsync");
      expect(calls.slice(renamed)).toContain("fsync");

      const deaths = calls.flatMap((name, at) =>
        (name === "writeFileSync"
          ? (["before", "within", "after"] as const)
          : (["before", "after"] as const)
        ).map((when) => ({ call: at + 1, when, name })),
      );
      const seen = new Set<number>();
      const dieAndGoOn = async ({ call, when, name }: (typeof deaths)[number]): Promise<void> => {
        const folder = newFolder();
        await writeOnce(folder);
        const child = await send({
          ...errand,
          address: `file:${folder}`,
          halts: { call, when, by: "SIGKILL" },
        });
        const { signal } = await child.ended;
        const what = `${when} ${name} (${call})`;
        expect([signal, what]).toEqual(["SIGKILL", what]);
        const store = filePlace(folder).open();
        const holder = holderFor(machine);
        await store.lock(holder);
        const serial = (await store.read())?.serial ?? 0;
        seen.add(serial);
        await store.write(stateAfter(serial + 1), serial);
        await store.unlock(holder);
        expect(filesIn(folder)).toEqual([STATE, expect.stringMatching(/\.lock\/\d+$/)]);
      };
      for (let at = 0; at < deaths.length; at += 4) {
        await Promise.all(deaths.slice(at, at + 4).map(dieAndGoOn));
      }
      expect(seen).toEqual(new Set([1, 2]));
      expect(deaths.length).toBeGreaterThan(60);
    },
  );
});

// As root every permission is given, so that only a file system can refuse; and only root can mount one.
const isRoot = process.getuid?.() === 0;
const canMount = isRoot && tryMount();

function tryMount(): boolean {
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

function mountSmall(): string {
  const folder = newFolder();
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k,mode=0700", "none", folder]);
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
  return folder;
}

const needs = canMount ? "" : " (skipped: only root, where mounting is allowed, can try it)";

describe("a place that refuses", () => {
  test.skipIf(isRoot && !canMount)(
    `a read-only folder: told in words, and the old state is whole${isRoot ? needs : ""}`,
    async () => {
      const folder = isRoot ? mountSmall() : newFolder();
      await writeOnce(folder);
      const before = readFileSync(join(folder, STATE), "utf8");
      const turn = (isWritable: boolean) => {
        const options = `remount,${isWritable ? "rw" : "ro"}`;
        if (isRoot) execFileSync("mount", ["-o", options, folder]);
        else
          for (const each of [folder, join(folder, LOCKS)])
            chmodSync(each, isWritable ? 0o700 : 0o500);
      };
      turn(false);
      const refused = {
        code: "state-not-writable",
        exit: 1,
        message: expect.stringMatching(
          /file system is read-only|permission is denied|cannot be made/,
        ) as string,
      };
      for (const each of [folder, join(folder, "new")]) {
        const lock = filePlace(each).open().lock(holderFor(machine));
        await expect(lock).rejects.toMatchObject(refused);
      }
      expect((await filePlace(folder).open().read())?.serial).toBe(1);
      expect(readFileSync(join(folder, STATE), "utf8")).toBe(before);
      turn(true);
      await writeOnce(folder, 2);
    },
  );

  test.skipIf(!canMount)(
    `a full disk: told in words, the old state is whole, and it works again afterwards${needs}`,
    async () => {
      const folder = mountSmall();
      await writeOnce(folder);
      const before = readFileSync(join(folder, STATE), "utf8");
      const store = filePlace(folder).open();
      const holder = holderFor(machine);
      await store.lock(holder);
      const ballast = join(folder, "ballast");
      for (let kilobytes = 256; kilobytes > 0; kilobytes -= 4) {
        try {
          writeFileSync(ballast, Buffer.alloc(1024 * kilobytes));
          break;
        } catch {
          // Less is tried next, until what is left is too little for anything.
        }
      }
      const full = {
        code: "state-not-writable",
        message: expect.stringContaining("the disk is full") as string,
      };
      await expect(store.write(stateAfter(2), 1)).rejects.toMatchObject(full);
      expect(readFileSync(join(folder, STATE), "utf8")).toBe(before);
      expect(readdirSync(join(folder, LOCKS))).toEqual(["2"]);
      await store.unlock(holder);
      await expect(filePlace(folder).open().lock(holderFor(machine))).rejects.toMatchObject(full);
      truncateSync(ballast);
      await writeOnce(folder, 2);
      expect((await store.read())?.serial).toBe(2);
    },
  );
});
