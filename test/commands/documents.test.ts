// The JSON documents of the commands: their schemas are generated from their types, and allow what is printed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { outputSchemas } from "../../schemas/generate/outputs.js";
import { ALL, optionsOf } from "../../src/cli/all.js";
import { call } from "../run/call.js";
import { TOKENS } from "../policy/rules.js";
import { openPlace } from "../run/place.js";
import { assertOutput, COMMANDS_WITH_OUTPUT } from "../support/output-schema.js";
import { PROJECT } from "../support/run.js";

const OLD_FILE = readFileSync(join(PROJECT, "examples/upgrade-from-10.9/config.js"), "utf8");

test("the schemas are those that npm run generate writes", () => {
  const schemas = outputSchemas();
  const documents = [...schemas.keys()].filter((path) => !path.includes(".jsonl."));
  expect(documents).toHaveLength(COMMANDS_WITH_OUTPUT.length);
  for (const [path, schema] of schemas) {
    const written = JSON.parse(readFileSync(join(PROJECT, path), "utf8")) as unknown;
    expect([path, schema]).toEqual([path, written]);
  }
});

test("every command with --output json has one", async () => {
  const names = await Promise.all(
    ALL.map(async ({ name, load }) => ("json" in optionsOf((await load()).spec) ? [name] : [])),
  );
  expect(names.flat().toSorted()).toEqual(COMMANDS_WITH_OUTPUT.toSorted());
});

// call validates what each prints.
test.each([
  ["validate", "validate portal.yaml"],
  ["plan", "plan"],
  ["apply", "apply --yes"],
  ["drift", "drift"],
  ["diff", "diff portal.yaml live:portal.yaml"],
  ["status", "status"],
  ["history", "history"],
  ["state", "state show"],
  ["state", "state unlock --yes"],
  ["state", "state rm portal.yaml informationalBanner"],
  ["state", "state move file:elsewhere --yes"],
  ["pull", "pull --all"],
  ["hold", "hold --why Migration"],
  ["unhold", "unhold"],
  ["doctor", "doctor"],
  ["rollback", "rollback --yes --allow disable-notice"],
  ["explain", "explain informationalBanner.text"],
  ["explain", "explain informationalBanner.text --file portal.yaml"],
  ["explain", "explain portal.url --file portal.yaml"],
  ["explain", "explain portal.url"],
  ["explain", "explain disable-notice"],
  ["explain", "explain unknown-key"],
  ["explain", "explain state-damaged"],
  ["explain", "explain 7"],
  ["explain", "explain canary"],
  ["explain", "explain banner"],
  ["upgrade", "upgrade portal.yaml --to 12.1"],
  ["migrate", "migrate config.js --target 11.0"],
  ["init", "init other.yaml --url https://gis.example.com/portal --target 12.1"],
  ["policy", "policy test rules.yaml"],
  ["preview", "preview portal.yaml --output html=preview.html"],
  ["sandbox", "sandbox"],
  ["preview", "preview portal.yaml"],
  ["serve", "serve portal.yaml"],
])("%s prints what its schema allows: %s", async (name, words) => {
  const place = await openPlace();
  const banner = "settings: { informationalBanner: { text: Hello, enabled: true } }\n";
  place.write(banner);
  place.write("", { name: "rules.yaml", head: TOKENS });
  place.write("", { name: "config.js", head: OLD_FILE });
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  place.write(banner.replace("Hello", "Goodbye"));
  const signal = RUNS_ON.includes(words) ? AbortSignal.timeout(2_000) : undefined;
  const ran = await place.run(`${words} --output json`, { ...(signal && { signal }) });
  expect(ran).toMatchObject({ exit: EXITS[words] ?? 0 });
  expect(ran.stdout).toMatch(/^\{/);
  const wrong = ran.stdout.replace(/"(formatVersion|ready)":\s*(1|true)/, '"$1":"wrong"');
  expect(() => assertOutput([name, "--json"], wrong)).toThrow("its schema does not allow");
});

const RUNS_ON = ["sandbox", "preview portal.yaml", "serve portal.yaml"];
const EXITS: Readonly<Record<string, number>> = {
  status: 2,
  "diff portal.yaml live:portal.yaml": 2,
  "migrate config.js --target 11.0": 3,
};

test.each(COMMANDS_WITH_OUTPUT)("%s prints a document about wrong words", async (name) => {
  const ran = await call([name, "--json", "--no-such-option"], { cwd: "/" });
  expect(ran.exit).toBe(64);
  expect(JSON.parse(ran.stdout)).toMatchObject({ command: name, failure: { code: "wrong-usage" } });
});
