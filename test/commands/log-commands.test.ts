// In a pipeline, nothing that a file, a portal, a server or git holds commands the platform through a report.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../src/lib/json.js";
import type { Format } from "../../src/commands/command.js";
import { visible } from "../../src/lib/text.js";
import { COMMANDING, commandsIn } from "../lib/log-commands.js";
import { openPlace, type Place } from "../run/place.js";
import { answerJson, serve } from "../support/network.js";
import { BIN, environment, folderOf, lintel, type Ran } from "../support/run.js";

const EPOCH = { SOURCE_DATE_EPOCH: "1790000000" };
const FILE_NAME = "##vso[task.complete]\n::error::b";

const JSON_FORMATS: readonly string[] = ["json", "sarif", "gitlab", "gitlab-plan"];

/** What a log of GitHub would obey, but for the annotations that the format `github` is made of. */
function forgedIn(format: Format | "stderr", output: string): string[] {
  const found = commandsIn(output);
  return format === "github"
    ? found.filter((line) => !/^::(?:error|warning|notice) (?:file|title)=[^:]*::/.test(line))
    : found;
}

/** The same text for all ways to write a character by its number. */
function meaningOf(format: Format, output: string): unknown {
  if (format === "json" || JSON_FORMATS.includes(format)) return JSON.parse(output) as unknown;
  return output.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

interface Running {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Each report alone, on standard output and in a file; `same` ones say the same as outside of a pipeline. */
async function runAll(
  words: readonly string[],
  formats: readonly Format[],
  { cwd, env = {} }: Running,
  { isSame = false } = {},
): Promise<Ran[]> {
  const runs: Ran[] = [];
  for (const format of formats) {
    const file = `report.${format}`;
    const all = [...words, "--output", format, "--output", `${format}=${file}`];
    const inPipeline = { cwd, env: { ...env, ...EPOCH, CI: "true" } };
    const ran = await lintel(all, inPipeline);
    runs.push(ran);
    const written = readFileSync(join(cwd, file), "utf8");
    expect(ran.exit).not.toBe(70);
    expect({
      call: all.join(" "),
      stdout: forgedIn(format, ran.stdout),
      stderr: forgedIn("stderr", ran.stderr),
      file: forgedIn(format, written),
    }).toEqual({ call: all.join(" "), stdout: [], stderr: [], file: [] });
    // Nor does anything drive the terminal of a person.
    const forPeople = ["text", "markdown", "github"].includes(format);
    for (const text of [ran.stderr, ...(forPeople ? [ran.stdout, written] : [])]) {
      expect(visible(text)).toBe(text);
    }
    if (format !== "text") expect(written).toBe(ran.stdout);
    if (!isSame || forPeople) continue;
    const outside = await lintel(all, { cwd, env: { ...env, ...EPOCH } });
    expect(meaningOf(format, ran.stdout)).toEqual(meaningOf(format, outside.stdout));
  }
  return runs;
}

const quoted = JSON.stringify(COMMANDING);

function settingsOf(text: string): JsonObject {
  return {
    informationalBanner: { text, bgColor: "black", fontColor: "white", enabled: true },
    anonymousAccessNotice: { title: "a", text, buttons: "okOnly", enabled: true },
  };
}

async function openRudePlace(): Promise<{ place: Place; running: Running }> {
  const place = await openPlace({}, settingsOf(`live\n${COMMANDING}`));
  // A block of lines has room for those alone that anybody can see.
  const block = COMMANDING.split("\n")
    .filter((line) => visible(line) === line)
    .map((line) => `      ${line}\n`)
    .join("");
  place.write(
    `state: file:.lintel\nsettings:\n  informationalBanner:\n    text: |-\n${block}` +
      `  anonymousAccessNotice: { text: ${quoted} }\n  portalConfigProperties:\n    footerLinks: [{ title: ${quoted}, url: "https://example.org/" }]\n`,
  );
  execFileSync("git", ["init", "-q"], { cwd: place.folder.path });
  execFileSync("git", ["config", "user.name", "::error::Ada ##vso[task.complete]"], {
    cwd: place.folder.path,
  });
  return { place, running: { cwd: place.folder.path, env: place.env } };
}

test("problems of a file, with its lines and its name", async () => {
  const folder = folderOf({
    [`${FILE_NAME}.yaml`]: `targetVersion: "11.5"\nportal: { url: "https://gis.example.com" }\nsettings:\n  ${quoted}: 1\n  "##vso[task.complete]": 1\n  "::error::": 1\n`,
  });
  onTestFinished(() => folder.remove());
  const formats = ["text", "json", "html", "sarif", "junit", "github", "gitlab"] as const;
  const [text] = await runAll(
    ["validate", `${FILE_NAME}.yaml`],
    formats,
    { cwd: folder.path },
    { isSame: true },
  );
  expect(text).toMatchObject({ exit: 3, stdout: expect.stringContaining("<U+0023>vso[") });
});

test("what a file sets, what the portal shows, and who applied it", async () => {
  const { place, running } = await openRudePlace();
  const formats = ["text", "json", "markdown", "html"] as const;
  const plans = await runAll(["plan"], [...formats, "gitlab-plan"], running, { isSame: true });
  for (const { exit } of plans) expect(exit).toBe(0);
  await lintel(["plan", "--save", "plan.json"], {
    ...running,
    env: { ...running.env, CI: "true" },
  });
  await runAll(["plan", "--load", "plan.json"], formats, running);
  const [applied] = await runAll(["apply", "--yes"], ["text"], running);
  expect(applied).toMatchObject({ exit: 0 });
  place.sandbox.change("self", settingsOf(`by hand\n${COMMANDING}`));
  await runAll(["drift"], formats, running);
  await runAll(["diff", "portal.yaml", "live:portal.yaml"], formats, running);
  await runAll(["status"], ["text", "json"], running);
  const [history] = await runAll(["history"], ["text", "json"], running);
  expect(history?.stdout).toContain("Ada");
  await runAll(["state", "show"], ["text", "json"], running);
  await runAll(["pull", "--all"], ["text", "json"], running);
  await runAll(["apply", "--yes", "--allow", "overwrite-drift"], formats, running);
  await runAll(["rollback", "--yes", "--to", "1"], ["text", "json", "html"], running);
});

async function openRefusedPlace(): Promise<Running> {
  const { place } = await openRudePlace();
  const said = { error: { code: 400, message: COMMANDING, details: [COMMANDING] } };
  const rude = await serve((_, response) => answerJson(response, said));
  place.write("", {
    head: `targetVersion: "12.1"\nportal: { url: "${rude.url}/sharing/rest" }\nsignIn: { url: "${rude.url}" }\nstate: file:.lintel\nsettings: { blockBetaApps: true }\n`,
  });
  return { cwd: place.folder.path, env: place.env };
}

test("what a sign-in service and a portal refuse with", async () => {
  const running = await openRefusedPlace();
  for (const words of [["plan"], ["doctor"]]) {
    await runAll(words, ["text", "json"], running);
  }
});

test.each(["text", "json"])("what serve reports as %s while it runs", async (format) => {
  const { cwd, env } = await openRefusedPlace();
  const child = spawn(process.execPath, [BIN, "serve", "--output", format], {
    cwd,
    env: environment({ ...env, HOME: cwd, CI: "true" }),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.includes("refused")) break;
  }
  expect(lines.filter((line) => line.includes("refused"))).toHaveLength(1);
  expect(commandsIn(lines.join("\n"))).toEqual([]);
  if (format === "text") return;
  const { failure } = JSON.parse(lines.at(-1) ?? "") as { failure: { message: string } };
  expect(failure.message).toContain("##[error]forged");
});

test("what an old file holds, and the file that is made of it keeps its values", async () => {
  const old = `window.esriGeowConfig = {\n  // ##vso[task.complete]\n  // ::error::comment\n  surveyUrl: "##vso[task.complete]",\n  footerLinks: [{ title: ${quoted.replaceAll("\u2028", "\\u2028")}, url: "https://example.org/" }],\n  tokenExpiration: "::error::"\n};\n`;
  const folder = folderOf({ "config.js": old });
  onTestFinished(() => folder.remove());
  const running = { cwd: folder.path };
  const words = ["migrate", "config.js", "--target", "11.0"];
  const formats = ["text", "json", "markdown", "sarif", "junit", "github", "gitlab"] as const;
  const [text] = await runAll(words, formats, running);
  const { settings } = parse(text?.stdout ?? "") as {
    settings: { portalConfigProperties: { footerLinks: [{ title: string }] } };
  };
  expect(settings.portalConfigProperties.footerLinks[0].title).toBe(COMMANDING);
});
