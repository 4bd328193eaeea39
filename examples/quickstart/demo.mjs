// Runs Lintel against a sandbox, and prints each command before it runs.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const bin = join(here, "../../dist/bin.cjs");
const folder = mkdtempSync(join(tmpdir(), "lintel-demo-"));
const file = join(folder, "portal.yaml");
let keys = {};

/** Prints a command and runs it. Any other exit status ends the demo. */
async function run(words, expected = 0) {
  console.log(`\n$ lintel ${words.join(" ")}`);
  const child = spawn(process.execPath, [bin, ...words], {
    cwd: folder,
    env: { ...process.env, CI: "", ...keys },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exit = await new Promise((done) => child.on("close", done));
  if (exit !== expected) throw new Error(`"lintel ${words[0]}" ended with ${exit}`);
  if (exit !== 0) console.log(`(exit status ${exit})`);
}

function tell(sentence) {
  console.log(`\n# ${sentence}`);
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

/** Does what an administrator does in the portal's own pages: signs in, and sends an update. */
async function changeByHand({ portalUrl, signInUrl, beid, webServicesKey }, parameter, value) {
  const signedIn = await fetch(`${signInUrl}/api/auth/loginadmin`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ BEID: beid, WebServicesKey: webServicesKey }),
  });
  const updated = await fetch(`${portalUrl}/portals/self/settings/update`, {
    method: "POST",
    headers: { authorization: `Bearer ${await signedIn.text()}` },
    body: new URLSearchParams({ f: "json", [parameter]: JSON.stringify(value) }),
  });
  const answer = await updated.json();
  if (!answer.success) throw new Error(JSON.stringify(answer));
}

let sandbox;
try {
  tell("Start a sandbox portal:");
  sandbox = await startSandbox();
  const { portalUrl, signInUrl, beid, webServicesKey } = sandbox.ready;
  keys = {
    // Without a terminal, credentials go only to these hosts.
    LINTEL_ALLOWED_HOSTS: sandbox.ready.url,
    LINTEL_BEID: beid,
    LINTEL_WEB_SERVICES_KEY: webServicesKey,
  };
  const example = readFileSync(join(here, "portal.yaml"), "utf8")
    .replace("https://quickstart.example.com/portal/sharing/rest", portalUrl)
    .replace("https://accounts.example.com", signInUrl);

  tell("Validate a file with a misspelled name:");
  writeFileSync(file, example.replace("fontColor: white", "fontcolor: white"));
  await run(["validate"], 3);

  tell("Correct the name, validate again, and save a plan:");
  writeFileSync(file, example);
  await run(["validate"]);
  await run(["plan", "--save", "plan.json"]);

  tell("Apply exactly the saved plan:");
  await run(["apply", "plan.json"]);
  await run(["plan"]);

  tell("An administrator changes the banner by hand. Lintel finds it, and does not overwrite it:");
  await changeByHand(sandbox.ready, "informationalBanner", {
    text: "Back soon!",
    bgColor: "yellow",
    fontColor: "white",
    enabled: true,
  });
  await run(["drift"], 2);
  await run(["apply", "--yes"], 7);

  tell("Overwrite the change, and look at the history:");
  await run(["apply", "--yes", "--allow", "overwrite-drift"]);
  await run(["history"]);
} finally {
  sandbox?.child.kill();
  rmSync(folder, { recursive: true, force: true });
}
