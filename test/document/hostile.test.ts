// Files that are no desired state, or are made to hurt: each ends with a clear diagnostic, soon, and with little memory.
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { findFiles } from "../../src/document/find.js";
import { lintel } from "../run/call.js";
import { BIN, folderOf, runProgram, type Ran } from "../support/run.js";

const folder = folderOf();
afterAll(() => folder.remove());

/** Node 24 takes up to a tenth more than Node 20 does, which stays below 300. */
const MOST_MEMORY_MIB = 400;
const LONGEST_MS = 30_000;
/** So many characters take no memory that could be measured beside the command's own. */
const SMALL = 200;
const good = 'targetVersion: "11.5"\n';
const portal = 'portal: { url: "https://gis.example.com/portal/sharing/rest" }\n';
const bomb = ["x-0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]"].concat(
  Array.from(
    { length: 12 },
    (_, n) => `x-${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(", ")}]`,
  ),
);
const chain = Object.fromEntries(
  Array.from({ length: 120 }, (_, n) => [`_chain${n}.yaml`, `extends: _chain${n + 1}.yaml\n`]),
);

/** Name, what the file holds, and the code and the line of the diagnostic that it gets. */
const FILES: [name: string, content: string | Buffer, code: string, line: number | null][] = [
  ["broken YAML", `${good}settings: {a: [1, 2\n`, "yaml-syntax", 3],
  ["tabs", `${good}settings:\n\tblockBetaApps: true\n`, "yaml-syntax", 3],
  ["duplicate keys", `${good}${good}`, "duplicate-key", 2],
  ["several documents", `${good}---\n${good}`, "several-documents", 2],
  ["UTF-16LE with a mark", Buffer.from(`\ufeff${good}`, "utf16le"), "wrong-encoding", null],
  ["UTF-16LE without a mark", Buffer.from(good, "utf16le"), "wrong-encoding", null],
  ["UTF-16BE", Buffer.from(`\ufeff${good}`, "utf16le").swap16(), "wrong-encoding", null],
  ["Windows-1252", Buffer.from(`${good}x-note: Stra\xdfe\n`, "latin1"), "wrong-encoding", 2],
  ["a NUL byte", `${good}x-note: a\0b\n`, "wrong-encoding", 2],
  ["an escape sequence", `${good}x-note: \u001b[2J\n`, "wrong-encoding", 2],
  ["an empty file", "", "empty-file", null],
  ["white space alone", " \n\n", "empty-file", 1],
  ["comments alone", "# nothing yet\n", "empty-file", 1],
  ["a lone word", "hello\n", "wrong-type", 1],
  ["an alias bomb", `${good}${bomb.join("\n")}\n`, "bad-alias", 6],
  ["10,000 brackets", `${good}x-a: ${"[".repeat(10_000)}`, "too-deep", 2],
  ["10,000 closed brackets", `x-a: ${"[".repeat(10_000)}${"]".repeat(10_000)}`, "too-deep", 1],
  ["10,000 dashes", `x-a:\n  ${"- ".repeat(10_000)}1\n`, "too-deep", 2],
  [
    "1,000 indented keys",
    Array.from({ length: 1000 }, (_, n) => `${" ".repeat(n)}a:`).join("\n"),
    "too-deep",
    64,
  ],
  ["50 MB of keys", Buffer.alloc(50 * 1024 * 1024, "key: value\n"), "file-too-large", null],
  ["4 MB of keys", Buffer.alloc(4_000_000, "key: value\n"), "file-too-large", 14_286],
  ["4 MB of one line", Buffer.alloc(4_000_000, "x"), "wrong-type", 1],
  ["4 MB of quotes", Buffer.alloc(4_000_000, '"'), "file-too-large", 1],
  [
    "400,000 references that name no file",
    `${good}x-a: "${"${file:}".repeat(400_000)}"\n`,
    "bad-reference",
    2,
  ],
  [
    "a million references that are not closed",
    `${good}x-a: "${"${env:".repeat(690_000)}"\n`,
    "bad-reference",
    2,
  ],
  [
    "400,000 references that are escaped",
    `${good}x-a: "${"\\x24{portal.name}".repeat(230_000)}\${env:}"\n`,
    "bad-reference",
    2,
  ],
  ["2,000,000 bad escapes", `${good}x-a: "${"\\q".repeat(2_000_000)}"\n`, "yaml-syntax", 2],
  [
    "an extended name of 2 MB",
    `${good}extends: "${"a/".repeat(1_000_000)}"\n`,
    "file-not-found",
    2,
  ],
  ["a target of 4 MB", `targetVersion: "${"1.".repeat(2_000_000)}"\n`, "bad-target", 1],
  ["4 MB of comments", Buffer.alloc(4_000_000, "#\n"), "file-too-large", 50_001],
  ["a picture", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), "wrong-encoding", 1],
  [
    "a value that leads nowhere",
    `${good}settings: { blockBetaApps: "\${env:LINTEL_VAR_X}" }\n`,
    "undefined-variable",
    2,
  ],
  ["an alias of itself", `${good}x-a: &a [*a]\n`, "bad-alias", 2],
  [
    "a file that extends itself",
    `${good}extends: a-file-that-extends-itself.yaml\n`,
    "bad-extends",
    2,
  ],
  ["a long chain of files", `${good}extends: _chain0.yaml\n`, "bad-extends", 1],
  [
    "a thousand problems",
    `${good}${Array.from({ length: 1000 }, (_, n) => `k${n}: 1\n`).join("")}${portal}`,
    "too-many-problems",
    202,
  ],
];

interface Found {
  readonly code: string;
  readonly line: number | null;
  readonly message: string;
  readonly help: string;
}

async function checked(file: string): Promise<Found[]> {
  return foundBy(await validated(file));
}

/** In a process of its own, which has not taken much memory or time. */
async function validated(file: string): Promise<Ran> {
  const peak = join(folder.path, `${file.replace(/\W/g, "-")}.peak`);
  const words = ["--require", join(import.meta.dirname, "../support/peak.cjs"), BIN];
  const began = performance.now();
  const ran = await runProgram(process.execPath, [...words, "validate", file, "--output", "json"], {
    cwd: folder.path,
    env: { LINTEL_TEST_PEAK: peak },
  });
  const tookMs = performance.now() - began;
  expect(Number(readFileSync(peak, "utf8"))).toBeLessThan(MOST_MEMORY_MIB);
  // Far above what it takes on a busy machine; a hang is what this finds.
  expect(tookMs).toBeLessThan(LONGEST_MS);
  return ran;
}

function foundBy({ exit, stdout, stderr }: Ran): Found[] {
  expect({ exit, stderr }).toEqual({ exit: 3, stderr: "" });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Found[] };
  for (const each of diagnostics) {
    expect(each.message).not.toMatch(/undefined|\[object|TypeError|RangeError/);
    expect(each.help).not.toBe("");
    expect(each.message.length).toBeLessThan(2_100);
  }
  return diagnostics;
}

test.each(FILES)("%s", async (name, content, code, line) => {
  for (const [file, text] of Object.entries(chain)) writeFileSync(join(folder.path, file), text);
  const file = `${name.replaceAll(" ", "-").replaceAll(",", "")}.yaml`;
  writeFileSync(join(folder.path, file), content);
  const isSmall = content.length < SMALL;
  const words = ["validate", file, "--output", "json"];
  const ran = isSmall ? await lintel(words, { cwd: folder.path }) : await validated(file);
  const diagnostics = foundBy(ran);
  expect(diagnostics.map((each) => `${each.code} ${each.line}`)).toContain(`${code} ${line}`);
});

test("a file without permission", async ({ skip }) => {
  const path = join(folder.path, "secret.yaml");
  writeFileSync(path, good);
  chmodSync(path, 0);
  // Root may read everything, so the command runs as another user where this test is root.
  if (process.getuid?.() !== 0) {
    expect((await checked("secret.yaml"))[0]?.code).toBe("file-not-readable");
    return;
  }
  chmodSync(folder.path, 0o755);
  const asNobody = ["--reuid=65534", "--regid=65534", "--clear-groups", process.execPath, BIN];
  const ran = await runProgram("setpriv", [...asNobody, "validate", "secret.yaml"], {
    cwd: folder.path,
  }).catch(() => undefined);
  skip(
    !ran || /MODULE_NOT_FOUND|EACCES.*bin\.cjs/.test(ran.stderr),
    "no other user can run the command here",
  );
  expect(ran?.stdout).toContain("[file-not-readable]");
  expect(ran?.exit).toBe(3);
});

test("a folder in a file's place, and a link to nowhere", async () => {
  mkdirSync(join(folder.path, "folder"));
  writeFileSync(join(folder.path, "on-a-folder.yaml"), `${good}extends: folder\n`);
  symlinkSync("nowhere", join(folder.path, "link.yaml"));
  expect((await checked("on-a-folder.yaml"))[0]?.code).toBe("file-not-readable");
  expect((await checked("link.yaml"))[0]?.code).toBe("file-not-found");
});

test("a long text that is referred to again and again", async () => {
  writeFileSync(join(folder.path, "long.txt"), "x".repeat(4_000_000));
  const again = Array.from({ length: 5_000 }, () => "- ${file:long.txt}\n").join("");
  writeFileSync(join(folder.path, "again.yaml"), `${good}x-a:\n${again}${portal}`);
  const found = await checked("again.yaml");
  expect(found.map(({ code, line }) => `${code} ${line}`)).toEqual(["bad-reference 4"]);
});

test("a long base that is extended again and again", async () => {
  const settings = Array.from({ length: 200_000 }, () => "  a line\n").join("");
  writeFileSync(join(folder.path, "_long.yaml"), `x-a: |\n${settings}`);
  const again = Array.from({ length: 90 }, () => "- _long.yaml\n").join("");
  writeFileSync(join(folder.path, "extends.yaml"), `${good}extends:\n${again}`);
  const found = await checked("extends.yaml");
  expect(found.map(({ code, line }) => `${code} ${line}`)).toEqual(["bad-extends 5"]);
});

test("a folder with a link that leads around", async () => {
  const crowd = folderOf();
  onTestFinished(() => crowd.remove());
  symlinkSync(".", join(crowd.path, "around"));
  writeFileSync(join(crowd.path, "portal.yaml"), good);
  expect(await findFiles(["."], crowd.path)).toEqual(["portal.yaml"]);
  expect(await findFiles(["**/**/**/**/**/**/**/*.yaml"], crowd.path)).toEqual(["portal.yaml"]);
});

test("400,000 words that are nearly references", async () => {
  const words = "${ENV:A}${env.B}".repeat(200_000);
  writeFileSync(join(folder.path, "nearly.yaml"), `${good}x-a: "${words}"\nx: 1\n${portal}`);
  const codes = (await checked("nearly.yaml")).map(({ code }) => code);
  expect(codes).toEqual(["odd-reference", "odd-reference", "unknown-key"]);
});

test("an endless file", async () => {
  expect((await checked("/dev/zero"))[0]?.code).toBe("file-not-readable");
});
