// What Lintel does, shown against a sandbox: each command is printed as a person would type it, then run.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const bin = join(here, "../../dist/bin.cjs");
const folder = mkdtempSync(join(tmpdir(), "lintel-demo-"));

/** Shows a command and runs it; the demo ends where one does not end as it should. */
async function run(words, env = {}, expected = 0) {
  console.log(`\n$ lintel ${words.join(" ")}`);
  const child = spawn(process.execPath, [bin, ...words], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exit = await new Promise((done) => child.on("close", done));
  if (exit !== expected) throw new Error(`"lintel ${words[0]}" ended with ${exit}`);
}

async function startSandbox() {
  console.log("\n$ lintel sandbox --target 11.5 --output json &");
  const words = [bin, "sandbox", "--target", "11.5", "--output", "json"];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = JSON.parse(line);
    console.log(`A portal is running at ${ready.url}/`);
    return { child, ready };
  }
  throw new Error("the sandbox did not start");
}

let sandbox;
try {
  const example = readFileSync(join(here, "portal.yaml"), "utf8");
  writeFileSync(join(folder, "portal.yaml"), example.replace("fontColor: white", "fontcolor: white"));
  console.log("Somebody proposes a change, with a slip in it:");
  await run(["validate"], {}, 3);

  writeFileSync(join(folder, "portal.yaml"), example);
  console.log("\nWith the slip mended:");
  await run(["validate"]);

  console.log("\nA portal to try things on:");
  sandbox = await startSandbox();
  const { portalUrl, signInUrl, beid, webServicesKey } = sandbox.ready;
  writeFileSync(
    join(folder, "portal.yaml"),
    example
      .replace("https://gis.example.com/portal/sharing/rest", portalUrl)
      .replace("https://accounts.example.com", signInUrl),
  );
  const keys = { LINTEL_BEID: beid, LINTEL_WEB_SERVICES_KEY: webServicesKey };
  await run(["doctor"], keys);
  await run(["whoami"], keys);
  await run(["explain", "tokenExpiration"]);
} finally {
  sandbox?.child.kill();
  rmSync(folder, { recursive: true, force: true });
}
