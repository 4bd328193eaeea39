// lintel preview as a person and a program call it.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { BIN, environment, folderOf, lintel } from "../support/run.js";
import { PORTAL } from "../preview/open.js";

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = folderOf(files);
  onTestFinished(() => folder.remove());
  return folder.path;
}

/** The first line that it writes, and how it ends once it is interrupted. */
async function run(cwd: string, words: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [BIN, "preview", ...words], { cwd, env: environment(env) });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => (stderr += part));
  await new Promise<void>((done) => {
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      stdout += part;
      if (/127\.0\.0\.1:\d+/.test(stdout) && stdout.endsWith("\n")) done();
    });
  });
  const said = stdout;
  return {
    said,
    interrupt: async () => {
      const exit = new Promise<number | null>((done) => child.once("close", done));
      child.kill("SIGINT");
      return { exit: await exit, stdout: stdout.slice(said.length), stderr };
    },
  };
}

test("a program learns from the first line where it runs, and from the last how it went", async () => {
  const cwd = folderWith({ "portal.yaml": PORTAL });
  const { said, interrupt } = await run(cwd, ["--output", "json"]);
  const ready = JSON.parse(said) as { url: string };
  expect(ready).toEqual({ ready: true, url: expect.any(String), files: ["portal.yaml"] });
  expect(await (await fetch(ready.url)).text()).toContain("Preview");
  const { exit, stdout, stderr } = await interrupt();
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({
    command: "preview",
    exitCode: 0,
    failure: null,
    url: ready.url,
  });
});

test("prints the address, and opens the browser on request", async () => {
  const cwd = folderWith({ "portal.yaml": PORTAL, "xdg-open": '#!/bin/sh\necho "$1" > opened\n' });
  chmodSync(join(cwd, "xdg-open"), 0o755);
  const path = `${cwd}:${process.env["PATH"]}`;
  const { said, interrupt } = await run(cwd, ["portal.yaml", "--open"], { PATH: path });
  const [url = ""] = /http:\S+/.exec(said) ?? [];
  await expect.poll(() => existsSync(join(cwd, "opened"))).toBe(true);
  await expect.poll(() => readFileSync(join(cwd, "opened"), "utf8")).toBe(`${url}\n`);
  expect(await interrupt()).toMatchObject({ exit: 0, stdout: "", stderr: "" });
});

test("without a program to open addresses, it reports that and continues", async () => {
  const cwd = folderWith({ "portal.yaml": PORTAL });
  const { interrupt } = await run(cwd, ["--open"], { PATH: cwd });
  expect(await interrupt()).toMatchObject({ exit: 0, stderr: /no program/i });
});

test("a file that is not there ends it", async () => {
  const cwd = folderWith({ "portal.yaml": PORTAL });
  const ran = await lintel(["preview", "portal.yaml", "missing.yaml"], { cwd });
  expect(ran.exit).toBe(3);
  expect(ran.stdout).toContain('There is no file "missing.yaml".');
});

test("a page of files that are wrong says what is wrong", async () => {
  const cwd = folderWith({ "good.yaml": PORTAL, "wrong.yaml": "targetVersion: 11.5\n" });
  const words = ["preview", "good.yaml", "wrong.yaml", "--output", "html=x.html", "-o", "text"];
  const ran = await lintel(words, { cwd });
  expect(ran.exit).toBe(3);
  expect(ran.stdout).toContain("wrong.yaml:1:16");
  const page = readFileSync(join(cwd, "x.html"), "utf8");
  expect(page).toContain("wrong.yaml:1:16");
  expect(page).not.toContain("Northern district");
});

test("a page is written in place of the live preview", async () => {
  const cwd = folderWith({ "portal.yaml": PORTAL });
  const ran = await lintel(["preview", "--output", "html=out/x.html"], { cwd });
  expect(ran).toEqual({ exit: 0, stdout: "", stderr: "" });
  expect(readFileSync(join(cwd, "out/x.html"), "utf8")).toContain("Northern district");
  const words = ["preview", "-", "--output", "html"];
  const { exit, stdout } = await lintel(words, { cwd, stdin: PORTAL });
  expect(exit).toBe(0);
  expect(stdout).toContain("standard input");
});

test.each([["--port", "8080"], ["--open"]])(
  "an export together with %s is wrong usage",
  async (...words) => {
    const cwd = folderWith({ "portal.yaml": PORTAL });
    const ran = await lintel(["preview", "--output", "html=x.html", ...words], { cwd });
    expect(ran).toMatchObject({ exit: 64, stdout: "" });
  },
);

test("an export to where nothing can be written fails with a reason", async () => {
  const cwd = folderWith({ "portal.yaml": PORTAL });
  writeFileSync(join(cwd, "file"), "");
  const ran = await lintel(["preview", "--output", "html=file/x.html"], { cwd });
  expect(ran).toMatchObject({ exit: 1, stdout: "" });
  expect(ran.stderr).toContain('"file/x.html" cannot be written');
});

test.each(["portal.yaml", "_base.yaml"])(
  "an export takes the place of no file that it is made from: %s",
  async (file) => {
    const base = "settings: { informationalBanner: { text: Hello, enabled: true } }\n";
    const cwd = folderWith({
      "portal.yaml": `extends: _base.yaml\n${PORTAL.replace(/^settings:[\s\S]*/m, "")}`,
      "_base.yaml": base,
    });
    const before = readFileSync(join(cwd, file), "utf8");
    const ran = await lintel(["preview", "--output", `html=${file}`], { cwd });
    expect(ran.exit).toBe(64);
    expect(readFileSync(join(cwd, file), "utf8")).toBe(before);
  },
);

test("half of a letter in an address of mail is shown as text", async () => {
  const links = 'footerLinks: [{ title: Mail, email: "\\ud800@x.example.org", type: contactUs }]';
  const file = `targetVersion: "11.5"\nsettings: { portalConfigProperties: { ${links} } }\n`;
  const cwd = folderWith({ "portal.yaml": file });
  const ran = await lintel(["preview", "--output", "html=out.html"], { cwd });
  expect(ran).toMatchObject({ exit: 0, stderr: "" });
  expect(readFileSync(join(cwd, "out.html"), "utf8")).not.toContain("mailto:");
});
