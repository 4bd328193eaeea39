// Node 22 and 24 from the npm package "node" → build, validate, plan, apply and the fast tests under each, or which of them fails.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { keysOf, withSandbox } from "../bench/served.js";
import { BIN, PROJECT, folderOf } from "../support/run.js";

const MAJORS = [22, 24];

/** Needs the registry of npm. */
export async function runOnOtherNodes(): Promise<Record<string, readonly string[]>> {
  const done: Record<string, readonly string[]> = {};
  for (const major of MAJORS) {
    const folder = folderOf();
    try {
      execFileSync("npm", ["install", "--silent", "--prefix", folder.path, `node@${major}`]);
      const bin = join(folder.path, "node_modules/node/bin");
      done[`Node ${major}`] = await runOn(bin, folder.path);
    } finally {
      folder.remove();
    }
  }
  return done;
}

async function runOn(bin: string, folder: string): Promise<string[]> {
  const own = { ...process.env, HOME: folder, PATH: `${bin}:${process.env["PATH"]}` };
  const done: string[] = [];
  const run = (words: readonly string[], cwd: string, more: NodeJS.ProcessEnv = {}) => {
    const [program = "", ...rest] = words;
    execFileSync(program, rest, { cwd, env: { ...own, ...more }, stdio: ["ignore", "ignore", 2] });
    done.push(rest.slice(-2).join(" "));
  };
  run(["npm", "run", "build"], PROJECT);
  await withSandbox(0, async (served) => {
    const { portalUrl, signInUrl } = served;
    writeFileSync(
      join(folder, "portal.yaml"),
      `targetVersion: "12.1"\nportal: { url: "${portalUrl}" }\nsignIn: { url: "${signInUrl}" }\nsettings: { blockBetaApps: true }\n`,
    );
    const env = { ...keysOf(served), LINTEL_ALLOWED_HOSTS: "http://127.0.0.1:*" };
    // Twice, so that the second starts from what V8 compiled for the first.
    for (const words of [["validate"], ["plan"], ["apply", "--yes"], ["plan"], ["plan"]]) {
      run(["node", BIN, ...words], folder, env);
    }
  });
  run(["npm", "run", "test:fast"], PROJECT);
  return done;
}
