// lintel init --example: each example is free of problems, can be planned against a sandbox, and overwrites nothing.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { call } from "../run/call.js";
import { folderOf } from "../support/run.js";
import { keysOf, openSandbox } from "../support/sandbox.js";

async function openPlace(version = "12.1") {
  const sandbox = await openSandbox({ portals: 3, version });
  const { username, password } = sandbox;
  const env = { ...keysOf(sandbox), LINTEL_USERNAME: username, LINTEL_PASSWORD: password };
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  const places = ["--url", sandbox.portalUrl, "--sign-in-url", sandbox.signInUrl];
  const run = (words: string, more: readonly string[] = [], cwd = folder.path) =>
    call([...words.split(" "), ...more], { cwd, env });
  return { folder: folder.path, portal: sandbox.portalUrl, places, run };
}

test.each(["fleet", "schedule", "policy"])(
  "%s runs in a sandbox, with its next steps",
  async (name) => {
    const { folder, places, run } = await openPlace();
    const begun = await run(`init try --example ${name}`, places);
    expect(begun).toMatchObject({ exit: 0, stderr: "The portal has version 12.1.\n" });
    const [, next = ""] = begun.stdout.split("Next:\n");
    const commands = next
      .trim()
      .split("\n")
      .map((line) => line.trim());
    expect(commands.slice(0, 2)).toEqual(["cd try", "lintel validate"]);
    for (const command of commands.slice(1)) {
      const ran = await run(command.replace("lintel ", ""), [], join(folder, "try"));
      expect([command, ran.exit, ran.stderr]).toEqual([
        command,
        command.includes("diff") ? 2 : 0,
        "",
      ]);
      if (command.endsWith("validate")) expect(ran.stdout).toContain("no problems");
    }
    // Each names a schema that stands beside it.
    for (const file of readdirSync(join(folder, "try"), { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".yaml")) continue;
      const text = readFileSync(join(folder, "try", file), "utf8");
      const [, schema = "none"] = /\$schema=(\.\/\S+)/.exec(text) ?? [];
      expect(existsSync(join(folder, "try", dirname(file), schema))).toBe(true);
    }
    const applied = await run("apply --yes", [], join(folder, "try"));
    expect(applied).toMatchObject({ exit: 0 });
  },
);

test("takes a target, writes into this folder, and says in JSON what it wrote", async () => {
  const { folder, run } = await openPlace();
  const { exit, stdout } = await run("init --example schedule --target 11.5 --json");
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    written: ["portal.yaml", "desired-state.schema.json"],
  });
  const text = readFileSync(join(folder, "portal.yaml"), "utf8");
  expect(text).toContain('targetVersion: "11.5"');
  expect(text).toContain("url: https://scheduled.gis.example.com/portal/sharing/rest");
});

test.each(["fleet", "schedule", "policy"])(
  "%s signs in with another method, at a portal of another version",
  async (name) => {
    const { folder, portal, run } = await openPlace("11.4");
    const begun = await run(`init --example ${name} --url ${portal} --method generate-token`);
    expect([begun.exit, begun.stderr]).toEqual([0, "The portal has version 11.4.\n"]);
    const file = name === "fleet" ? "_base.yaml" : "portal.yaml";
    const text = readFileSync(join(folder, file), "utf8");
    expect(text).toContain("\nsignIn:\n  method: generate-token\n\n");
    expect(text).toContain('\ntargetVersion: "11.4"\n');
    expect(await run("apply --yes")).toMatchObject({ exit: 0, stderr: "" });
  },
);

test("overwrites nothing, and takes no options of a portal's own file", async () => {
  const { folder, run } = await openPlace();
  writeFileSync(join(folder, "portal.yaml"), "mine\n");
  const refused = await run("init --example policy");
  expect([refused.exit, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/already exists.*\n.*or name another folder\.$/m),
  ]);
  expect(readFileSync(join(folder, "portal.yaml"), "utf8")).toBe("mine\n");
  expect((await run("init --example fleet --ci github")).stderr).toContain("cannot be combined");
  expect((await run("init --example fleet --url nowhere")).exit).toBe(64);
  expect((await run("init --example fleet --sign-in-url nowhere")).exit).toBe(64);
  expect((await run("init --example fleet --target 9.9")).exit).toBe(64);
});
