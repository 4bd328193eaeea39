// Policies in runs: a plan shows what they find and goes on, an apply and a rollback stop, and no change of the files opens that.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { PORTAL_RULE, TOKENS, rule } from "../policy/rules.js";
import { folderOf, type Ran } from "../support/run.js";
import { headFor, openPlace, type Place } from "./place.js";

interface Told {
  readonly exitCode: number;
  readonly diagnostics: readonly {
    readonly code: string;
    readonly severity: string;
    readonly file: string;
    readonly line: number;
  }[];
  readonly failure: { readonly code: string } | null;
  readonly portals: readonly {
    readonly status: string;
    readonly policies: readonly string[];
    readonly failure: {
      readonly code: string;
      readonly message: string;
      readonly help: string;
    } | null;
  }[];
  readonly summary: { readonly againstPolicy: number };
}

function told({ stdout }: Ran): Told {
  const all = JSON.parse(stdout) as Told;
  // What the reference says of a setting is none of the matter.
  return { ...all, diagnostics: all.diagnostics.filter(({ code }) => code !== "deprecated") };
}

/** Policies in a folder that is no part of the place. */
function outside(...texts: readonly string[]): string {
  const folder = folderOf(Object.fromEntries(texts.map((text, at) => [`${at}.yaml`, text])));
  onTestFinished(() => folder.remove());
  return folder.path;
}

async function openRepository(): Promise<Place> {
  const place = await openPlace();
  mkdirSync(join(place.folder.path, ".git"));
  return place;
}

const tokens = (minutes: number | string) =>
  `settings:\n  portalConfigProperties:\n    tokenExpiration: ${minutes}\n`;

test("status reports that they would block the apply", async () => {
  const place = await openRepository();
  place.write(tokens(120));
  const env = { LINTEL_POLICY: outside(TOKENS) };
  const { exit, stdout } = await place.run("status --output json", { env });
  expect([exit, told({ exit, stdout, stderr: "" }).portals]).toMatchObject([
    7,
    [{ stoppedBy: ["policy/tokens"] }],
  ]);
  const { stdout: text } = await place.run("status", { env });
  expect(text).not.toContain("lintel apply");
});

test("show their findings in a plan, and block an apply before anything is sent", async () => {
  const place = await openRepository();
  place.write(tokens(120));
  const policy = outside(TOKENS);
  const planned = told(await place.run(`plan --output json --policy ${policy}`));
  expect(planned).toMatchObject({
    exitCode: 0,
    diagnostics: [{ code: "policy/tokens", severity: "error", file: "portal.yaml", line: 6 }],
    portals: [{ status: "changes", policies: ["tokens"], failure: null }],
    summary: { againstPolicy: 1 },
  });
  const ran = await place.run(
    `apply --yes --output json --allow token-lifetime --policy ${policy}`,
  );
  expect(told(ran)).toMatchObject({
    exitCode: 7,
    diagnostics: [{ code: "policy/tokens" }],
    portals: [{ status: "failed", policies: ["tokens"], failure: { code: "against-policy" } }],
  });
  expect(place.updates()).toEqual([]);
  expect(place.state()).toBeUndefined();
  const text = await place.run(`plan --policy ${policy}`);
  expect(text.stdout).toMatch(/Stopped by policy\/tokens\b/);
});

test("from the environment and the command line together, in each report", async () => {
  const place = await openRepository();
  place.write(tokens(120));
  const env = { LINTEL_POLICY: outside(TOKENS) };
  const more = outside(rule("beta", "must: { settings.blockBetaApps: { const: true } }"));
  const ran = told(await place.run(`plan --output json --policy ${more}`, { env }));
  expect(ran.portals[0]?.policies).toEqual(["beta", "tokens"]);
  for (const format of ["markdown", "html", "text"]) {
    const { stdout } = await place.run(`plan --output ${format}`, { env });
    expect([format, stdout.includes("policy/tokens")]).toEqual([format, true]);
  }
  for (const format of ["sarif", "junit", "github", "gitlab"]) {
    const { stdout, exit } = await place.run(`validate --output ${format}`, { env });
    expect([format, exit, stdout.includes("policy/tokens")]).toEqual([format, 3, true]);
  }
});

test("a warning is shown and blocks nothing", async () => {
  const place = await openRepository();
  place.write(tokens(120));
  const policy = outside(TOKENS.replace("message:", "severity: warning\nmessage:"));
  const ran = await place.run(
    `apply --yes --output json --allow token-lifetime --policy ${policy}`,
  );
  expect(told(ran)).toMatchObject({
    exitCode: 0,
    diagnostics: [{ code: "policy/tokens", severity: "warning" }],
    portals: [{ status: "applied", policies: [] }],
  });
});

test("broken or missing policies stop a run before it starts", async () => {
  const place = await openRepository();
  place.write(tokens(60));
  const good = outside(TOKENS);
  const broken = outside(TOKENS.replace("maximum", "maxmum"));
  for (const words of ["plan", "apply --yes", "rollback --yes"]) {
    for (const path of [broken, join(good, "gone.yaml"), outside()]) {
      const env = { LINTEL_POLICY: path };
      const ran = told(await place.run(`${words} --output json --policy ${good}`, { env }));
      expect([words, ran.exitCode, ran.failure?.code]).toEqual([words, 3, "policy-not-usable"]);
    }
  }
  expect(place.sandbox.requests).toEqual([]);
});

test("a broken policy of a file fails only that file", async () => {
  const place = await openRepository();
  writeFileSync(join(place.folder.path, "broken.yml"), "name: [");
  place.write(`${tokens(60)}policy: broken.yml\n`);
  const ran = told(await place.run("apply --yes --output json"));
  expect(ran).toMatchObject({
    exitCode: 3,
    diagnostics: [{ file: "broken.yml", code: "yaml-syntax" }],
    portals: [{ failure: { code: "policy-not-usable" } }],
  });
});

test("a freeze blocks file changes, by the clock of the run", async () => {
  const place = await openRepository();
  const policy = outside(
    rule(
      "freeze",
      `timeZone: Europe/Vienna
when:
  time:
    anyOf:
      - properties: { weekday: { const: friday }, minuteOfDay: { minimum: 720 } }
      - properties: { weekday: { enum: [saturday, sunday] } }
must:
  changes: { items: { properties: { cause: { not: { const: file } } } } }`,
    ),
  );
  const at = (moment: string) => ({ startMs: Date.parse(moment) });
  const words = `apply --yes --output json --policy ${policy}`;
  place.write(
    "settings: { informationalBanner: { text: Hello, bgColor: black, fontColor: white } }\n",
  );
  const friday = told(await place.run(words, at("2026-12-04T11:30:00Z")));
  expect(friday.portals[0]?.failure?.code).toBe("against-policy");
  // Three changes, one freeze.
  expect(friday.diagnostics.map(({ code }) => code)).toEqual(["policy/freeze"]);
  expect(told(await place.run(words, at("2026-12-04T10:30:00Z")))).toMatchObject({ exitCode: 0 });
  // What is as wanted stops nobody, and what is rolled back is no wish of the file.
  expect(told(await place.run(words, at("2026-12-05T11:30:00Z")))).toMatchObject({ exitCode: 0 });
  place.write(
    "settings: { informationalBanner: { text: Bye, bgColor: black, fontColor: white } }\n",
  );
  expect(told(await place.run(words, at("2026-12-04T10:31:00Z")))).toMatchObject({ exitCode: 0 });
  const back = `rollback --yes --output json --policy ${policy}`;
  expect(told(await place.run(back, at("2026-12-05T11:30:00Z")))).toMatchObject({ exitCode: 0 });
});

test("policies check a saved plan again when it is applied", async () => {
  const place = await openRepository();
  place.write(tokens(120));
  expect(await place.run("plan --save plan.json --allow token-lifetime")).toMatchObject({
    exit: 0,
  });
  const ran = await place.run(`apply plan.json --policy ${outside(TOKENS)}`);
  expect(ran).toMatchObject({ exit: 7 });
  expect(ran.stdout).toContain("policy/tokens");
  expect(await place.run("apply plan.json")).toMatchObject({ exit: 0 });
});

test("a policy blocks a rollback, and the prompt cannot allow it", async () => {
  const place = await openRepository();
  for (const minutes of [120, 60]) {
    place.write(tokens(minutes));
    expect(await place.run("apply --yes --allow token-lifetime")).toMatchObject({ exit: 0 });
  }
  const updates = place.updates();
  const words = "rollback --yes --allow token-lifetime --output json";
  const ran = told(await place.run(`${words} --policy ${outside(TOKENS)}`));
  expect(ran).toMatchObject({
    exitCode: 7,
    diagnostics: [{ code: "policy/tokens" }],
    portals: [{ failure: { code: "against-policy" } }],
  });
  // The line of the file says 60, and is none of the matter.
  expect(ran.diagnostics[0]?.line).toBe(1);
  expect(place.updates()).toEqual(updates);
  expect(told(await place.run(words))).toMatchObject({ exitCode: 0 });
});

test("an error in a base is reported once for all files", async () => {
  const place = await openPlace({ portals: 3 });
  mkdirSync(join(place.folder.path, ".git"));
  place.write(tokens(120), { name: "portals/_base.yaml", head: "" });
  const head = headFor(place).replace(" }\n", ", id: ID }\n");
  for (const id of ["portal-1", "portal-2", "portal-3"]) {
    place.write("extends: _base.yaml\n", {
      name: `portals/${id}.yaml`,
      head: head.replace("ID", id),
    });
  }
  const ran = told(await place.run(`plan portals --output json --policy ${outside(TOKENS)}`));
  expect(ran.diagnostics).toMatchObject([
    { code: "policy/tokens", file: "portals/_base.yaml", line: 3 },
  ]);
  expect(ran.summary.againstPolicy).toBe(3);
});

const FORBIDDEN = tokens(120);

/** What a change under review may try: other files, or other words in the file. */
const TRICKS: Readonly<Record<string, string | ((place: Place) => string)>> = {
  "as it is": FORBIDDEN,
  "rules: of that name": `${FORBIDDEN}rules: { tokens: off }\n`,
  "rules: of that code": `${FORBIDDEN}rules: { policy/tokens: off }\n`,
  "an entry that allows it": `${FORBIDDEN}allow: [{ guard: token-lifetime, until: 2999-12-31, reason: Meant }]\n`,
  "an entry that names the policy": `${FORBIDDEN}allow: [{ guard: tokens, until: 2999-12-31, reason: Meant }]\n`,
  "a base that is good, under it": (place) => {
    place.write(tokens(60), { name: "_base.yaml", head: "" });
    return `extends: _base.yaml\n${FORBIDDEN}`;
  },
  "a base that is bad": (place) => {
    place.write(FORBIDDEN, { name: "_base.yaml", head: "" });
    return "extends: _base.yaml\n";
  },
  "a policy of its own with the same name": (place) => {
    place.write(rule("tokens", "must: { file: {} }"), { name: "own.yml", head: "" });
    return `${FORBIDDEN}policy: own.yml\n`;
  },
  "a policy of its own": (place) => {
    place.write(rule("own", "must: { file: {} }"), { name: "own.yml", head: "" });
    return `${FORBIDDEN}policy: own.yml\n`;
  },
  "no policy at all": `${FORBIDDEN}policy: []\n`,
  "a policy that is dropped": `${FORBIDDEN}policy: !unmanaged\n`,
  "keys that are ignored": `x-policy: off\n${FORBIDDEN}    x-tokenExpiration: 60\nx-settings: { portalConfigProperties: { tokenExpiration: 60 } }\n`,
  "an alias": `x-minutes: &minutes 120\n${tokens("*minutes")}`,
  "a merge":
    "x-all: &all { tokenExpiration: 120 }\nsettings:\n  portalConfigProperties: { <<: *all }\n",
  "a reference": tokens('"${env:LINTEL_VAR_MINUTES}"'),
  "the setting left out": "settings: { blockBetaApps: true }\n",
  "the setting dropped": (place) => {
    place.write(tokens(60), { name: "_base.yaml", head: "" });
    return `extends: _base.yaml\n${tokens("!unmanaged")}`;
  },
  "the object dropped": (place) => {
    place.write(`${tokens(60)}  blockBetaApps: true\n`, { name: "_base.yaml", head: "" });
    return "extends: _base.yaml\nsettings: { portalConfigProperties: !unmanaged }\n";
  },
  "the documented default": tokens("!default"),
  "a name that the reference does not know": `allowUnknown: [TokenExpiration]\nsettings: { TokenExpiration: 60 }\n`,
  "settings of another deployment": `deployment: hosted-online\n${FORBIDDEN}`,
};

test.each(Object.entries(TRICKS))("from outside, not weakened by %s", async (_, trick) => {
  const place = await openRepository();
  // It has been applied as it should be, so that the last and the live value are good.
  place.write(tokens(60));
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  const [updates, state] = [place.updates(), place.state()];
  place.write(typeof trick === "string" ? trick : trick(place));
  const env = { LINTEL_POLICY: outside(TOKENS), LINTEL_VAR_MINUTES: "120" };
  const ran = await place.run("apply --yes --allow token-lifetime --output json", { env });
  // What is no desired-state file, or no policy beside this one, is refused as such.
  const by = told(ran).portals[0]?.failure?.code ?? "";
  expect([3, 7]).toContain(ran.exit);
  const refusals = ran.exit === 3 ? ["file-invalid", "policy-not-usable"] : ["against-policy"];
  expect(refusals).toContain(by);
  expect(place.updates()).toEqual(updates);
  expect(place.state()).toEqual(state);
});

test("from outside, not weakened by another file, folder, link or name", async () => {
  const place = await openRepository();
  const env = { LINTEL_POLICY: outside(TOKENS, PORTAL_RULE) };
  const head = headFor(place);
  const named = headFor(place, ", name: harmless");
  const folder = place.folder.path;
  place.write(FORBIDDEN, { name: "elsewhere/harmless.yaml", head: named });
  symlinkSync("elsewhere/harmless.yaml", join(folder, "linked.yaml"));
  symlinkSync("elsewhere", join(folder, "there"));
  place.write(FORBIDDEN, { name: "_part.yaml", head });
  // Beside the file, a policy of the repository's own has no say.
  for (const name of [
    "policy/tokens.yaml",
    ".lintel/policy/tokens.yaml",
    "elsewhere/tokens.yaml",
  ]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), rule("tokens", "must: { file: {} }"));
  }
  for (const words of [
    "elsewhere/harmless.yaml",
    "linked.yaml",
    "there/harmless.yaml",
    "_part.yaml",
    "./elsewhere/../linked.yaml",
  ]) {
    const ran = await place.run(`apply ${words} --yes --allow token-lifetime --output json`, {
      env,
    });
    expect([words, ran.exit]).toEqual([words, 7]);
  }
  expect(place.updates()).toEqual([]);
  rmSync(join(folder, "linked.yaml"));
});

test("policies see no secrets", async () => {
  const place = await openRepository();
  place.write("settings: { blockBetaApps: true }\n");
  const all = [
    "portal: { maxProperties: 0 }",
    "settings: { maxProperties: 0 }",
    'file: { pattern: "^$" }',
    'targetVersion: { pattern: "^$" }',
    "changes: { maxItems: 0 }",
    "time: { maxProperties: 0 }",
  ];
  const env = { LINTEL_POLICY: outside(rule("all", `must:\n  ${all.join("\n  ")}`)) };
  const ran = await place.run("plan --output json", { env });
  expect(told(ran).diagnostics.length).toBe(all.length);
  for (const secret of Object.values(place.env)) expect(ran.stdout).not.toContain(secret);
});
