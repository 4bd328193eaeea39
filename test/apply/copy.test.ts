// What a file does not set goes back to the portal byte for byte; what cannot be copied so is refused before anything is sent.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { answerJson, serve, type Listening } from "../support/network.js";
import { folderOf, type Ran } from "../support/run.js";
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
    if (path.includes("/portals/self?")) return answerJson(response, { user: {}, id: "1" });
    if (!path.includes("/settings")) return answerJson(response, { currentVersion: "2025.1" });
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
      const [name = ""] = readdirSync(join(folder.path, ".lintel")).filter((each) =>
        each.endsWith(".json"),
      );
      return readFileSync(join(folder.path, ".lintel", name), "utf8");
    },
  };
}

const NUMBERS =
  '"long":12345678901234567890,"far":1e400,"near":1E-400,"one":1.0,"cents":0.10,"minus":-0,"capital":1E5,"huge":1e999999999';

describe("an apply that changes one leaf sends everything else back byte for byte", () => {
  const around = (text: string) =>
    `{"zeta":1,${NUMBERS},"text":${text},"alpha":[1.50,{"b":-0.0,"a":2}]}`;

  test("numbers, the order of keys, and whatever keys are called", async () => {
    const odd =
      '{"b":1,"10":2.0,"2":{"z":1,"1":[]},"__proto__":{"a":1.0},"constructor":null,"toString":"x","":0,"é\u2028":"\\ud800"}';
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
