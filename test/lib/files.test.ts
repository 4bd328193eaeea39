// What stands at a path and is no plain file is refused at once, and a file is read up to a bound.
import { execFileSync } from "node:child_process";
import fs, { readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  makeFolders,
  NotPlain,
  overwriteFile,
  readFile,
  reasonOf,
  statOf,
} from "../../src/lib/files.js";
import { folderOf } from "../support/run.js";

const LARGEST = 1024;

function place(): (name: string) => string {
  const folder = folderOf({ "file.txt": "text" });
  onTestFinished(() => folder.remove());
  return (name) => join(folder.path, name);
}

function oddityAt(path: string, links: "followed" | "refused" = "followed"): unknown {
  try {
    return readFile(path, { largest: LARGEST, links }).toString();
  } catch (error) {
    return error instanceof NotPlain ? error.oddity : error;
  }
}

test("a file of exactly the bound is read, and one byte more is not", () => {
  const at = place();
  writeFileSync(at("file.txt"), "x".repeat(LARGEST));
  expect(oddityAt(at("file.txt"))).toBe("x".repeat(LARGEST));
  writeFileSync(at("file.txt"), "x".repeat(LARGEST + 1));
  expect(oddityAt(at("file.txt"))).toBe("too-large");
});

test("a file of a terabyte is refused by what it says of its size", () => {
  const at = place();
  truncateSync(at("file.txt"), 2 ** 40);
  expect(oddityAt(at("file.txt"))).toBe("too-large");
});

test("a file of the system's own, which says that it is empty, is read to its end or its bound", () => {
  expect(oddityAt("/proc/self/comm")).toMatch(/^\S/);
  expect(oddityAt("/proc/kallsyms")).toBe("too-large");
});

test("a link is followed or refused, as is asked for", () => {
  const at = place();
  symlinkSync("file.txt", at("link"));
  symlinkSync("nowhere", at("dangling"));
  expect(oddityAt(at("link"))).toBe("text");
  expect(oddityAt(at("link"), "refused")).toBe("link");
  expect(oddityAt(at("dangling"), "refused")).toBe("link");
  expect(oddityAt(at("file.txt"), "refused")).toBe("text");
});

test("refuses a pipe without a writer, a socket, a device and a folder without waiting", async () => {
  const at = place();
  execFileSync("mkfifo", [at("pipe")]);
  const server = createServer().listen(at("socket"));
  await new Promise((done) => server.once("listening", done));
  onTestFinished(() => void server.close());
  for (const links of ["followed", "refused"] as const) {
    expect(oddityAt(at("pipe"), links)).toBe("pipe");
    expect(oddityAt("/dev/zero", links)).toBe("device");
    expect(oddityAt(at(""), links)).toBe("folder");
    expect(reasonOf(oddityAt(at("socket"), links))).toBe("no program reads its other end");
  }
});

test("what cannot be reached has a reason in words, and a mistake of ours has none", () => {
  const at = place();
  symlinkSync("circle", at("circle"));
  const reasons = ["file.txt/x", "circle/x", "n".repeat(300), "a\0b"].map((name) =>
    reasonOf(oddityAt(at(name))),
  );
  expect(reasons).toEqual([
    "a part of the path is a file",
    "it is a link, or links on its path lead in a circle",
    "the path is too long",
    "no path holds such a character",
  ]);
  expect(["file.txt/x", "circle/x", "n".repeat(300)].map((name) => statOf(at(name)))).toEqual(
    Array(3).fill(undefined),
  );
  expect(reasonOf(new TypeError("ours"))).toBeUndefined();
});

test("makes folders one below the other, and returns the first one made", () => {
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  const path = join(folder.path, "a/b/c");
  expect(makeFolders(path, 0o700)).toBe(join(folder.path, "a"));
  expect(makeFolders(path, 0o700)).toBeUndefined();
  writeFileSync(join(folder.path, "file"), "");
  for (const name of ["file", "file/b", "file/b/c"])
    expect(() => makeFolders(join(folder.path, name))).toThrow(/^(EEXIST|ENOTDIR)/);
});

describe("a file that another program has open", () => {
  /** The system refuses to rename so many times. */
  function refuseRenames(platform: string, times: number): void {
    const { renameSync } = fs;
    const before = Object.getOwnPropertyDescriptor(process, "platform");
    let left = times;
    fs.renameSync = (from, to) => {
      if (left-- > 0) throw Object.assign(new Error("EPERM"), { code: "EPERM" });
      renameSync(from, to);
    };
    Object.defineProperty(process, "platform", { ...before, value: platform });
    syncBuiltinESMExports();
    onTestFinished(() => {
      fs.renameSync = renameSync;
      if (before) Object.defineProperty(process, "platform", before);
      syncBuiltinESMExports();
    });
  }

  test("is replaced on Windows once it is closed", () => {
    const at = place();
    refuseRenames("win32", 2);
    overwriteFile(at("file.txt"), "new");
    expect(readFileSync(at("file.txt"), "utf8")).toBe("new");
  });

  test.each([
    ["win32", 100],
    ["linux", 1],
  ])("is left whole where it stays so (%s)", (platform, times) => {
    const at = place();
    refuseRenames(platform, times);
    expect(() => overwriteFile(at("file.txt"), "new")).toThrow("EPERM");
    expect(readdirSync(at("."))).toEqual(["file.txt"]);
    expect(readFileSync(at("file.txt"), "utf8")).toBe("text");
  });
});
