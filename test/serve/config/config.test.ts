// test/serve/config/invalid gives the problems that stand in its comments, and the text beside it; what is right says what it says.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { sortDiagnostics } from "../../../src/diagnostic.js";
import { outcomeOfCheck } from "../../../src/outcome.js";
import { checkText } from "../../../src/report/problem-text.js";
import { stylesFor } from "../../../src/report/styles.js";
import { openPools, readConfig } from "../../../src/serve/config/config.js";
import { messageOf } from "../../../src/serve/notify/webhook-message.js";
import { secret } from "../../../src/secret.js";
import { eventOf } from "../events/contract.js";
import { blocks } from "../../support/manual.js";
import { call } from "../../run/call.js";
import { folderOf, PROJECT } from "../../support/run.js";

const SECRET = "correct-horse-battery-staple";
const SLACK = "https://hooks.slack.example/services/T000/B000/XXXX";
const env = {
  LINTEL_WEBHOOK_SECRET: SECRET,
  LINTEL_WEBHOOK_SHORT: "guess",
  LINTEL_WEBHOOK_SLACK: SLACK,
  LINTEL_STATE_KEY: SECRET,
  LINTEL_TOKEN: SECRET,
  LINTEL_PASSWORD: SECRET,
  AWS_SECRET_ACCESS_KEY: SECRET,
};

describe("reports an error at its line", () => {
  const folder = "test/serve/config/invalid";
  const cases = readdirSync(join(PROJECT, folder)).filter((name) => name.endsWith(".yaml"));
  test.each(cases)("%s", (name) => {
    const file = `${folder}/${name}`;
    const { problems = [] } = readConfig(file, { cwd: PROJECT, env });
    const found = sortDiagnostics(problems);
    const text = readFileSync(join(PROJECT, file), "utf8");
    const expected = text
      .split("\n")
      .flatMap((line, at) =>
        [...line.matchAll(/# expect: ([\w-]+)/g)].map(([, code]) => `${at + 1} ${code}`),
      );
    const lines = found.map(({ place, code }) => `${place?.line} ${code}`);
    expect([...new Set(lines)]).toEqual(expected);
    const told = checkText(
      outcomeOfCheck("serve", [file], found),
      stylesFor({ isColoured: false }),
    );
    const golden = join(PROJECT, file.replace(/yaml$/, "out"));
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(golden, told);
    expect(told).toBe(readFileSync(golden, "utf8"));
    expect(told).not.toContain(SECRET);
  });
});

const TEXT = `files: [portals, "more/*.yaml"]
every: 5m
concurrency: 3
repository: https://git.example.com/gis/portals/
forge: gitlab
roles:
  viewers: [gis-staff]
  operators: { north-team: ["north-*"] }
pools:
  north: ["north-*"]
  rest: ["*"]
notify:
  - name: operators
    url: https://hooks.example.org/lintel
    secret: \${env:LINTEL_WEBHOOK_SECRET}
    events: [failed, recovered]
  - name: people
    form: slack
    url: \${env:LINTEL_WEBHOOK_SLACK}
`;

function placeOf(text: string) {
  const folder = folderOf({ "house/lintel.yaml": text });
  onTestFinished(() => folder.remove());
  return folder.path;
}

test("resolves files relative to lintel.yaml, and references in webhooks", async () => {
  const cwd = placeOf(TEXT);
  const { config } = readConfig("house/lintel.yaml", { cwd, env });
  expect(config).toMatchObject({
    files: ["house/portals", "house/more/*.yaml"],
    every: "5m",
    concurrency: 3,
    repository: { url: "https://git.example.com/gis/portals", forge: "gitlab" },
    roles: { viewers: ["gis-staff"], operators: { "north-team": ["north-*"] } },
    notify: [
      { name: "operators", form: "json", events: ["failed", "recovered"] },
      { name: "people", form: "slack", url: SLACK, written: "${env:LINTEL_WEBHOOK_SLACK}" },
    ],
  });
  expect(config?.notify[0]?.secret?.reveal()).toBe(SECRET);
  expect(JSON.stringify(config?.notify[0])).not.toContain(SECRET);
  const poolOf = await openPools(config ?? { pools: [] });
  expect(["north-1", "south"].map(poolOf)).toEqual(["north", "rest"]);
});

test.each(blocks("yaml", ["docs/serve.md", "docs/dashboard.md"]))(
  "the example in %s has no problems",
  (_page, text) => {
    const cwd = placeOf(text);
    const own = { ...env, LINTEL_WEBHOOK_PEOPLE: SLACK };
    expect(readConfig("house/lintel.yaml", { cwd, env: own }).problems).toBeUndefined();
  },
);

test("the receiver that the manual shows takes what was signed, as it came and in time, and nothing else", async () => {
  const [text = ""] = blocks("js", ["docs/serve.md"]).map(([, block]) => block);
  const folder = folderOf({ "receiver.mjs": text });
  onTestFinished(() => folder.remove());
  const { isFromLintel } = (await import(join(folder.path, "receiver.mjs"))) as {
    isFromLintel: (headers: object, body: string, secret: string) => boolean;
  };
  const nowMs = Date.now();
  const told = { form: "json", events: [eventOf("a")], lost: 0 } as const;
  const { body, headers } = messageOf(told, secret(SECRET), nowMs);
  expect(isFromLintel(headers, body, SECRET)).toBe(true);
  expect(isFromLintel(headers, `${body} `, SECRET)).toBe(false);
  expect(isFromLintel(headers, body, "another-secret-of-somebody")).toBe(false);
  expect(isFromLintel({}, body, SECRET)).toBe(false);
  const old = messageOf(told, secret(SECRET), nowMs - 600_000);
  expect(isFromLintel(old.headers, old.body, SECRET)).toBe(false);
});

test("an empty list of pools gives none", async () => {
  expect((await openPools({ pools: [] }))("north")).toBeUndefined();
});

test("serve reports each error with its line", async () => {
  const cwd = placeOf("every: soon\n");
  const said = await call(["serve", "--config", "house/lintel.yaml"], { cwd });
  expect(said.exit).toBe(3);
  expect(said.stdout).toContain("house/lintel.yaml:1:8");
});

test("webhooks require a folder for undelivered events", async () => {
  const cwd = placeOf("notify: [{ name: a, url: 'https://hooks.example.org' }]\n");
  const said = await call(["serve", "--config", "house/lintel.yaml"], { cwd });
  expect(said.exit).toBe(64);
  expect(said.stderr).toContain("lintel serve --data DIR");
});

test("no command takes it for the file of a portal", async () => {
  const cwd = placeOf(TEXT);
  const said = await call(["validate", "house"], { cwd });
  expect(said.stderr).toContain("holds no .yaml or .yml file");
});

test.each([
  [
    "the working directory",
    { "lintel.yaml": "every: 5x\n", "clone/lintel.yaml": "every: 6x\n" },
    "lintel.yaml:1:8",
  ],
  [
    "the repository of the first path",
    { "clone/lintel.yaml": "every: 6x\n" },
    "clone/lintel.yaml:1:8",
  ],
])("is read from %s", async (_, files, place) => {
  const folder = folderOf({ "clone/.git/HEAD": "", "clone/portals/a.yaml": "", ...files });
  onTestFinished(() => folder.remove());
  const said = await call(["serve", "clone/portals"], { cwd: folder.path });
  expect([said.exit, said.stdout.split(": ")[0]]).toEqual([3, place]);
});
