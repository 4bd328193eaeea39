// What is written is there whole or not at all, and never reaches another file than the one that was named.
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFile, overwriteFile, NotPlain } from "../src/lib/files.js";
import { folderOf } from "./support/run.js";

function place() {
  const folder = folderOf({ "old.txt": "old" });
  onTestFinished(() => folder.remove());
  const at = (name: string) => join(folder.path, name);
  return {
    at,
    read: (name: string) => readFileSync(at(name), "utf8"),
    names: () => readdirSync(folder.path).toSorted(),
  };
}

test("a file that is replaced keeps its rights, and its other names keep what stood there", () => {
  const { at, read, names } = place();
  chmodSync(at("old.txt"), 0o640);
  linkSync(at("old.txt"), at("other.txt"));
  overwriteFile(at("old.txt"), ["n", "ew"], { mode: 0o600 });
  expect([read("old.txt"), read("other.txt")]).toEqual(["new", "old"]);
  expect(statSync(at("old.txt")).mode & 0o777).toBe(0o640);
  expect(names()).toEqual(["old.txt", "other.txt"]);
});

test("a new file has the rights that are asked for, and its folders are made", () => {
  const { at, read } = place();
  overwriteFile(at("a/b.txt"), "new", { mode: 0o600 });
  expect(createFile(at("c/d.txt"), "new", { mode: 0o600 })).toBe(true);
  expect([read("a/b.txt"), read("c/d.txt")]).toEqual(["new", "new"]);
  expect(statSync(at("a/b.txt")).mode & 0o777).toBe(0o600);
  expect(statSync(at("c/d.txt")).mode & 0o777).toBe(0o600);
});

test("a new file takes the place of nothing, not even of a link that leads nowhere", () => {
  const { at, read, names } = place();
  symlinkSync("nowhere", at("link"));
  mkdirSync(at("folder"));
  for (const name of ["old.txt", "link", "folder"]) expect(createFile(at(name), "new")).toBe(false);
  expect(read("old.txt")).toBe("old");
  expect(names()).toEqual(["folder", "link", "old.txt"]);
});

test.each(["old.txt", "nowhere"])("a link to %s is neither followed nor replaced", (target) => {
  const { at, read } = place();
  symlinkSync(target, at("link"));
  expect(() => overwriteFile(at("link"), "new")).toThrow(NotPlain);
  expect(lstatSync(at("link")).isSymbolicLink()).toBe(true);
  expect(read("old.txt")).toBe("old");
  expect(existsSync(at("nowhere"))).toBe(false);
});

test("what fails halfway leaves the old file and no draft", () => {
  const { at, read, names } = place();
  const halfway = (function* () {
    yield "half";
    throw new Error("no more");
  })();
  expect(() => overwriteFile(at("old.txt"), halfway)).toThrow("no more");
  expect(read("old.txt")).toBe("old");
  expect(names()).toEqual(["old.txt"]);
});

test("two that write the same file at once each write a whole one", () => {
  const { at, read, names } = place();
  const inTheMiddle = (function* () {
    yield "one, ";
    // As another run does that comes in between.
    overwriteFile(at("old.txt"), "another");
    expect(read("old.txt")).toBe("another");
    yield "whole";
  })();
  overwriteFile(at("old.txt"), inTheMiddle);
  expect(read("old.txt")).toBe("one, whole");
  expect(names()).toEqual(["old.txt"]);
});

test("a name as long as the system takes it can be written", () => {
  const { at, read } = place();
  const name = "n".repeat(255);
  overwriteFile(at(name), "new");
  writeFileSync(at(name), "newer");
  overwriteFile(at(name), "newest");
  expect(read(name)).toBe("newest");
});
