// What a file does not set goes back to the portal byte for byte; what cannot be copied so is refused before anything is sent.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { answerJson, serve, type Listening } from "../support/network.js";
import { folderOf, type Ran } from "../support/run.js";
import { readStateIn } from "../support/state-files.js";
import { call } from "./call.js";

interface Copied {
  readonly portal: Listening;
  /** The forms of the updates that arrived. */
  readonly forms: () => URLSearchParams[];
  readonly write: (settings: string, portal?: string) => void;
  readonly run: (words: string) => Promise<Ran>;
  readonly read: (name: string) => string;
  readonly state: () => string;
}

interface Manners {
  /** Bytes in the place of the settings; else each parameter as it was given, or last sent. */
  readonly answer?: (sent: number) => Buffer | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A portal that keeps the text of each parameter as it is, and a file for it. */
async function openCopied(
  given: Readonly<Record<string, string>>,
  { answer = () => undefined, headers = {} }: Manners = {},
): Promise<Copied> {
  const held = new Map(Object.entries(given));
  const forms: URLSearchParams[] = [];
  const portal = await serve(({ method, path, body }, response) => {
    if (method === "POST") {
      const form = new URLSearchParams(body);
      forms.push(form);
      for (const [name, text] of form) if (name !== "f") held.set(name, text);
      return answerJson(response, { success: true });
    }
    if (path.includes("/portals/self?"))
      return answerJson(response, { user: { role: "org_admin" }, id: "1" });
    if (!path.includes("/settings")) return answerJson(response, { enterpriseVersion: "12.1.0" });
    const whole = [...held].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",");
    response.writeHead(200, { "content-type": "application/json", ...headers });
    response.end(answer(forms.length) ?? `{${whole}}`);
  });
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  const env = { LINTEL_TOKEN: "a-token-of-the-tests" };
  return {
    portal,
    forms: () => forms,
    write: (settings, more = "") =>
      writeFileSync(
        join(folder.path, "portal.yaml"),
        `targetVersion: "12.1"\nportal: { url: "${portal.url}/sharing/rest"${more} }\nsignIn: { method: token, token: "\${env:LINTEL_TOKEN}" }\nsettings:\n${settings}`,
      ),
    run: (words) => call(words.split(" "), { cwd: folder.path, env }),
    read: (name) => readFileSync(join(folder.path, name), "utf8"),
    state: () => {
      const [key = ""] = readdirSync(join(folder.path, ".lintel")).filter(
        (each) => !each.startsWith("."),
      );
      return readStateIn(join(folder.path, ".lintel"), key) ?? "";
    },
  };
}

const NUMBERS =
  '"long":12345678901234567890,"far":1e400,"near":1E-400,"one":1.0,"cents":0.10,"minus":-0,"capital":1E5,"huge":1e999999999';

describe("sends everything but one changed leaf back byte for byte", () => {
  const around = (text: string) =>
    `{"zeta":1,${NUMBERS},"text":${text},"alpha":[1.50,{"b":-0.0,"a":2}]}`;

  test("keeps numbers, the order of keys, and all names", async () => {
    const odd =
      '{"b":1,"1o":2.0,"c":{"z":1,"y":[]},"__proto__":{"a":1.0},"constructor":null,"toString":"x","":0,"é\u2028":"\\ud800"}';
    const place = await openCopied({
      informationalBanner: around('"old"'),
      portalConfigProperties: odd,
      anonymousAccessNotice: `{${NUMBERS}}`,
      blockBetaApps: "false",
    });
    place.write("  informationalBanner: { text: new }\n");
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    const [form] = place.forms();
    expect(Object.fromEntries(form ?? [])).toEqual({
      informationalBanner: around('"new"'),
      portalConfigProperties: odd,
      anonymousAccessNotice: `{${NUMBERS}}`,
      blockBetaApps: "false",
      f: "json",
    });
    // Nor has it anything to do again.
    expect((await place.run("plan")).stdout).toMatch(/^No changes\./m);
  });
});

test("escapes control characters in reports for programs", async () => {
  const text = "\u009b31mRED\u009d0;t\u009c \u202e\u2028\u{e0041}\u007f";
  const place = await openCopied({ informationalBanner: JSON.stringify({ text }) });
  place.write("  informationalBanner: { text: new }\n");
  const { stdout } = await place.run("plan --output json");
  expect(stdout).not.toMatch(/[\u007f-\u009f\u2028\u202e\u{e0041}]/u);
  expect(stdout).toContain('"before": "\\u009b31mRED');
  const { portals } = JSON.parse(stdout) as { portals?: { changes: { before: string }[] }[] };
  const changes = portals?.[0]?.changes ?? (JSON.parse(stdout) as { changes: [] }).changes;
  expect(changes).toMatchObject([{ before: text }]);
});

describe("refuses what cannot be copied exactly, and sends nothing", () => {
  const good = '{"informationalBanner":{"text":"old","zeta":[1,{"ä":"GROSS"}]}}';
  const bytes = (text: string) => Buffer.from(text.replace("GROSS", "gr\u00fc\u00df"), "latin1");
  const deep = (levels: number) =>
    `{"informationalBanner":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  const many = Array.from({ length: 300_000 }, (_, at) => `"k${at}":1`).join(",");

  test.each<[string, Buffer, string]>([
    [
      "bytes that are no UTF-8",
      Buffer.concat([
        Buffer.from(good.slice(0, 55)),
        Buffer.from([0xfc]),
        Buffer.from(good.slice(55)),
      ]),
      "byte 57 is not valid UTF-8",
    ],
    [
      "a name of such bytes",
      bytes('{"informationalBanner":{"GROSS":1}}'),
      "byte 28 is not valid UTF-8",
    ],
    [
      "UTF-16",
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("{}", "utf16le")]),
      "byte 1 is not valid UTF-8",
    ],
    [
      "a name that stands twice",
      Buffer.from('{"informationalBanner":{"text":"a",\n  "text":"b"}}'),
      "Duplicate key 'text' encountered at position 39",
    ],
    [
      "something after the end",
      Buffer.from(`${good}{}`),
      "Expected end of input but got '{' at position 63",
    ],
    [
      "an answer that is cut off",
      Buffer.from(good.slice(0, 30)),
      "Colon ':' expected after property name but reached end of input at position 30",
    ],
    ["lists that are too deep", Buffer.from(deep(201)), "it is nested more than 200 levels deep"],
    [
      "too many values",
      Buffer.from(`{"informationalBanner":{${many}}}`),
      "it holds more than 100,000 values",
    ],
    [
      "a text that is too long",
      Buffer.from(`{"informationalBanner":{"text":"${"x".repeat(1_000_001)}"}}`),
      "a text is longer than 1,000,000 characters",
    ],
    [
      "more than a state can keep",
      Buffer.from(
        `{"a":[${Array.from({ length: 5 }, () => `"${"x".repeat(900_000)}"`).join(",")}]}`,
      ),
      "it is longer than 4,000,000 characters",
    ],
  ])("%s", async (_, answer, why) => {
    const place = await openCopied({}, { answer: () => answer });
    place.write("  informationalBanner: { text: new }\n");
    const { exit, stdout } = await place.run("apply --yes --output json");
    const { failure, portals } = JSON.parse(stdout) as {
      failure: { code: string; message: string } | null;
      portals?: { failure: { code: string; message: string } }[];
    };
    const told = portals?.[0]?.failure ?? failure;
    expect({ exit, told }).toMatchObject({ exit: 4, told: { code: "answer-not-understood" } });
    expect(told?.message).toContain(`answered with JSON that cannot be used: ${why}`);
    expect(place.forms()).toEqual([]);
  });

  test("refuses a compressed answer without a request for it", async () => {
    const manners = { answer: () => gzipSync(good), headers: { "content-encoding": "gzip" } };
    const place = await openCopied({}, manners);
    place.write("  informationalBanner: { text: new }\n");
    const { exit, stdout } = await place.run("apply --yes");
    expect(exit).toBe(4);
    expect(stdout.replace(/\s+/g, " ")).toContain('answered with something encoded as "gzip"');
    expect(place.forms()).toEqual([]);
  });

  test("accepts a byte order mark", async () => {
    const given = Buffer.from(`\uFEFF ${good}`);
    const place = await openCopied(
      { informationalBanner: "null" },
      { answer: (sent) => (sent === 0 ? given : undefined) },
    );
    place.write("  informationalBanner: { text: new }\n");
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    expect(place.forms()[0]?.get("informationalBanner")).toBe(
      good.slice(23, -1).replace("old", "new"),
    );
  });

  test("and an unreadable portal leaves the outcome unknown", async () => {
    const place = await openCopied(
      { informationalBanner: '{"text":"old"}' },
      { answer: (sent) => (sent === 0 ? undefined : Buffer.from('{"a":1,"a":2}')) },
    );
    place.write("  informationalBanner: { text: new }\n");
    const { exit, stdout } = await place.run("apply --yes");
    expect(exit).toBe(8);
    expect(stdout).toContain("Duplicate key 'a'");
  });
});

describe("keeps the exact digits of a number", () => {
  const advanced = '{"tokenExpiration":1e400,"shareTokenSince":12345678901234567890}';
  const file = (minutes: number) => `  portalConfigProperties: { tokenExpiration: ${minutes} }\n`;

  test("in plans, reports, saved plans, states and rollbacks", async () => {
    const place = await openCopied({ portalConfigProperties: advanced });
    place.write(file(60));
    const planned = await place.run(
      "plan --output text --output json=plan.json --output markdown=plan.md --output html=plan.html --save saved.json",
    );
    expect(planned).toMatchObject({ exit: 0 });
    expect(planned.stdout).toContain("1e400 → 60");
    expect(place.read("plan.json")).toMatch(/"before": 1e400,\n/);
    expect(place.read("plan.md")).toContain("1e400");
    expect(place.read("plan.html")).toContain("1e400");
    expect(place.read("saved.json")).toContain('"shareTokenSince": 12345678901234567890');
    expect((await place.run("plan --load saved.json")).stdout).toContain("1e400 → 60");
    expect(await place.run("apply saved.json --yes")).toMatchObject({ exit: 0 });
    expect(place.state()).toMatch(
      /"tokenExpiration": 1e400,\s*"shareTokenSince": 12345678901234567890/,
    );
    expect((await place.run("history portal.yaml")).stdout).toContain("1e400 → 60");
    expect((await place.run("history portal.yaml --output json")).stdout).toContain(
      '"before": 1e400',
    );

    const refused = await place.run("rollback --yes");
    expect(refused).toMatchObject({ exit: 7 });
    expect(refused.stdout).toMatch(/would grow from 60\s+to\s+1e400\s+minutes/);
    expect(await place.run("rollback --yes --allow token-lifetime")).toMatchObject({ exit: 0 });
    expect(place.forms().map((form) => form.get("portalConfigProperties"))).toEqual([
      advanced.replace("1e400", "60"),
      advanced,
    ]);
  });

  test("in drift, even if another number is as near", async () => {
    let minutes = "60";
    const shown = () => Buffer.from(`{"portalConfigProperties":{"tokenExpiration":${minutes}}}`);
    const place = await openCopied({}, { answer: shown });
    place.write(file(60));
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    expect(place.forms()).toEqual([]);
    minutes = "60.0";
    expect(await place.run("drift")).toMatchObject({ exit: 0 });
    minutes = "9007199254740993";
    const drifted = await place.run("drift");
    expect(drifted).toMatchObject({ exit: 2 });
    expect(drifted.stdout).toContain("9007199254740993");
  });

  test("but not in a pull that YAML would read differently", async () => {
    const place = await openCopied({ portalConfigProperties: advanced });
    place.write(file(60));
    const written = place.read("portal.yaml");
    const pulled = await place.run("pull");
    expect(pulled).toMatchObject({ exit: 0 });
    expect(pulled.stdout).toContain("YAML would read its number as another one");
    expect(place.read("portal.yaml")).toBe(written);

    const plain = await openCopied({ portalConfigProperties: '{"tokenExpiration":90.0}' });
    plain.write(file(60));
    expect(await plain.run("pull")).toMatchObject({ exit: 0 });
    expect(plain.read("portal.yaml")).toContain("tokenExpiration: 90 }");
  });
});
