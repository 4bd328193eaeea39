// NODE_TLS_REJECT_UNAUTHORIZED=0 makes Node trust whoever answers: what would use the network ends before it does.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openPlace } from "../run/place.js";
import { listen, makeCertificates, HAS_OPENSSL, NEEDS_OPENSSL } from "../support/network.js";
import { folderOf, lintel, PROJECT, runProgram } from "../support/run.js";

const UNCHECKED = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
const BANNER = "settings: { informationalBanner: { text: Hello, enabled: true } }\n";

test.each([
  "plan",
  "plan --no-state",
  "apply --yes",
  "rollback --yes",
  "status",
  "drift",
  "pull",
  "state show",
  "doctor",
  "init other.yaml --from-portal",
  "serve",
  "worker --queue postgres://lintel@127.0.0.1:1/lintel --repository https://git.example.com/gis/portals.git",
  "queue status --queue postgres://lintel@127.0.0.1:1/lintel",
])("%s ends with the way out, and sends nothing", async (words) => {
  const place = await openPlace();
  place.write(BANNER);
  const { exit, stderr } = await place.run(
    words.replace(
      "--from-portal",
      `--from-portal --url ${place.sandbox.portalUrl} --sign-in-url ${place.sandbox.signInUrl} --yes`,
    ),
    { env: UNCHECKED },
  );
  expect([exit, stderr]).toEqual([64, expect.stringContaining("NODE_TLS_REJECT_UNAUTHORIZED")]);
  expect(stderr).toContain("--ca-file");
  expect(place.sandbox.requests).toEqual([]);
});

test.each(["1", ""])("a value of %j switches nothing off", async (value) => {
  const place = await openPlace();
  place.write(BANNER);
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: value };
  expect(await place.run("plan", { env })).toMatchObject({ exit: 0 });
});

describe("as it is built", () => {
  const fileFor = (host: string) =>
    `targetVersion: "12.1"\nportal: { url: "https://${host}/portal/sharing/rest" }\nsignIn: { method: token }\n${BANNER}`;

  /** An address over TLS with a certificate that nobody vouches for. */
  async function untrusted() {
    const received: string[] = [];
    const { cert, key } = makeCertificates().server;
    const server = createServer({ cert, key }, ({ headers }, response) => {
      received.push(String(headers["authorization"]));
      response.end("{}");
    });
    const folder = folderOf();
    onTestFinished(() => folder.remove());
    writeFileSync(join(folder.path, "portal.yaml"), fileFor(await listen(server)));
    const env = { ...UNCHECKED, LINTEL_TOKEN: "a-token-for-nobody-else" };
    return { received, options: { cwd: folder.path, env } };
  }

  test.skipIf(!HAS_OPENSSL)(
    `a command says it alone, without the warning of Node${NEEDS_OPENSSL}`,
    async () => {
      const { received, options } = await untrusted();
      const { exit, stderr } = await lintel(["plan"], options);
      expect(exit).toBe(64);
      expect(stderr).toContain("error: NODE_TLS_REJECT_UNAUTHORIZED=0");
      expect(stderr).not.toMatch(/Warning/);
      expect(received).toEqual([]);
    },
  );

  test.skipIf(!HAS_OPENSSL)(`a call of the library is refused alike${NEEDS_OPENSSL}`, async () => {
    const { received, options } = await untrusted();
    mkdirSync(join(options.cwd, "node_modules"));
    symlinkSync(PROJECT, join(options.cwd, "node_modules/lintel"));
    const program = `import { apply, check, plan } from "lintel";
      console.log(JSON.stringify((await check(["portal.yaml"])).diagnostics));
      for (const verb of [plan, apply]) {
        await verb(["portal.yaml"]).then(console.log, ({ code, help }) => console.log(code, help));
      }`;
    writeFileSync(join(options.cwd, "program.mjs"), program);
    const ran = await runProgram(process.execPath, ["program.mjs"], options);
    const told = /^\[\]\nbad-certificate .*--ca-file[^]*\nbad-certificate .*--ca-file/;
    expect(ran).toMatchObject({
      exit: 0,
      stderr: "",
      stdout: expect.stringMatching(told) as string,
    });
    expect(received).toEqual([]);
  });

  test.each(["validate", "help", "--version", "explain informationalBanner", "plan --help"])(
    "%s needs no network and says nothing of it",
    async (words) => {
      const folder = folderOf({ "portal.yaml": fileFor("gis.example.com") });
      onTestFinished(() => folder.remove());
      const ran = await lintel(words.split(" "), { cwd: folder.path, env: UNCHECKED });
      expect(ran).toMatchObject({ exit: 0, stderr: "" });
    },
  );
});
