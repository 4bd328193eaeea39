// A pull that is killed before its draft took the file's place: the next one leaves nothing of it, and touches no other draft.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { BIN, environment, folderOf, lintel } from "../support/run.js";
import { fileFor, keysOf, openSandbox } from "../support/sandbox.js";

const SETTINGS = "settings: { informationalBanner: { text: Ours } }\n";

async function place() {
  const sandbox = await openSandbox({ portals: 1 });
  const show = (text: string) => {
    for (const id of ["self", "portal-1"]) {
      sandbox.change(id, { informationalBanner: { text, enabled: true } });
    }
  };
  show("Theirs");
  const own = fileFor(sandbox, SETTINGS);
  const other = own.replace('" }\n', '", id: portal-1 }\n');
  const folder = folderOf({ "portal.yaml": own, "other.yaml": other, "inner/x.txt": "" });
  onTestFinished(() => folder.remove());
  const env = { ...keysOf(sandbox), HOME: folder.path };
  const pull = (...words: string[]) =>
    lintel(["pull", "--all", ...words], { cwd: folder.path, env });
  const begin = (signal: string, ...words: string[]) =>
    spawn(
      process.execPath,
      ["--require", join(import.meta.dirname, "kill-at-rename.cjs"), BIN, "pull", ...words],
      { cwd: folder.path, env: environment({ ...env, LINTEL_TEST_SIGNAL: signal }) },
    );
  const kill = async (...words: string[]) => {
    const [, signal] = (await once(begin("SIGKILL", ...words), "exit")) as [unknown, string];
    expect(signal).toBe("SIGKILL");
  };
  const at = (name: string) => join(folder.path, name);
  const drafts = (name = ".") => readdirSync(at(name)).filter((each) => each.endsWith(".draft"));
  return {
    show,
    pull,
    begin,
    kill,
    at,
    drafts,
    read: (name: string) => readFileSync(at(name), "utf8"),
  };
}

test("the next pull removes what is left, and no draft of another file", async () => {
  const { pull, kill, at, drafts, read } = await place();
  await kill("other.yaml");
  const [theirs = ""] = drafts();
  await kill("portal.yaml");
  expect(drafts()).toHaveLength(2);
  expect(read("portal.yaml")).toContain("text: Ours");
  // As others may name theirs.
  const [own = ""] = drafts().filter((each) => each !== theirs);
  const strange = [".lintel-x.draft", "portal.yaml.draft", own.replace(/-\d+-/, "-no-number-")];
  for (const name of strange) writeFileSync(at(name), "");
  expect(await pull("portal.yaml")).toMatchObject({ exit: 0, stderr: "" });
  expect(read("portal.yaml")).toContain("text: Theirs");
  expect(drafts().toSorted()).toEqual([...strange, theirs].toSorted());
  expect((await pull("other.yaml")).exit).toBe(0);
  expect(drafts().toSorted()).toEqual(strange.toSorted());
});

test("it does so when there is nothing left to change", async () => {
  const { show, pull, kill, drafts, read } = await place();
  await kill("portal.yaml");
  show("Ours");
  expect(drafts()).toHaveLength(1);
  expect(await pull("portal.yaml", "--path", "informationalBanner.text")).toMatchObject({
    exit: 0,
  });
  expect(read("portal.yaml")).toContain("text: Ours");
  expect(drafts()).toEqual([]);
});

test("a file that is a link has its drafts where the link leads", async () => {
  const { pull, kill, at, drafts } = await place();
  symlinkSync("inner/portal.yaml", at("link.yaml"));
  renameSync(at("portal.yaml"), at("inner/portal.yaml"));
  await kill("link.yaml");
  expect([drafts(), drafts("inner")]).toEqual([[], [expect.any(String)]]);
  expect((await pull("link.yaml")).exit).toBe(0);
  expect([drafts(), drafts("inner")]).toEqual([[], []]);
});

test("a draft of a pull that is stopped and lives stays", async () => {
  const { pull, begin, drafts, read } = await place();
  const stopped = begin("SIGSTOP", "portal.yaml");
  onTestFinished(() => void stopped.kill("SIGKILL"));
  await expect.poll(() => drafts().length).toBe(1);
  expect((await pull("portal.yaml")).exit).toBe(0);
  expect(drafts()).toHaveLength(1);
  stopped.kill("SIGCONT");
  expect(await once(stopped, "exit")).toEqual([0, null]);
  expect(drafts()).toEqual([]);
  expect(read("portal.yaml")).toContain("text: Theirs");
});
