// Runs three workers and one page on this machine, with the files beside this one: a change reaches every portal, although a worker is killed meanwhile.
// It needs an empty database:
//   node demo.mjs postgres://lintel@127.0.0.1/lintel
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const [database] = process.argv.slice(2);
if (!database) {
  console.error("Name an empty database:\n  node demo.mjs postgres://lintel@127.0.0.1/lintel");
  process.exit(64);
}

const here = dirname(fileURLToPath(import.meta.url));
const bin = join(here, "../../dist/bin.cjs");
const folder = mkdtempSync(join(tmpdir(), "lintel-many-"));
const names = readdirSync(join(here, "portals")).map((name) => name.replace(".yaml", ""));
const running = new Map();

function tell(sentence) {
  console.log(`\n# ${sentence}`);
}

function git(cwd, ...words) {
  const who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"];
  return execFileSync("git", [...who, ...words], { cwd, encoding: "utf8" }).trim();
}

/** Starts a process with a home of its own, and nothing in its environment but what its file says. */
function begin(name, words, env, cwd) {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  console.log(`\n${name}$ lintel ${words.join(" ")}`);
  const child = spawn(process.execPath, [bin, ...words], {
    cwd: cwd ?? home,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const machine = { name, child, lines: [] };
  createInterface({ input: child.stdout }).on("line", (line) => {
    machine.lines.push(line);
    if (!name.startsWith("sandbox")) console.log(`${name}: ${line}`);
  });
  machine.ended = new Promise((done) => child.on("close", (exit, signal) => done(exit ?? signal)));
  running.set(name, machine);
  return machine;
}

async function end(name, signal) {
  const machine = running.get(name);
  running.delete(name);
  machine.child.kill(signal);
  return await machine.ended;
}

/** The variables of a file for systemd; some have another value here. */
function environmentIn(file, values) {
  const lines = readFileSync(join(here, file), "utf8").split("\n");
  const written = lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s));
  return Object.fromEntries(written.map(([name, value]) => [name, values[name] ?? value]));
}

async function until(isSo) {
  while (!(await isSo())) {
    for (const { name, child } of running.values()) {
      if (child.exitCode !== null) throw new Error(`"${name}" has ended with ${child.exitCode}`);
    }
    await new Promise((turn) => setTimeout(turn, 50));
  }
}

/** The portals as the page shows them, as JSON. */
async function portalsOn({ lines }) {
  const [, url] = /Dashboard: (\S+)\//.exec(lines.join("\n")) ?? [];
  return url ? (await (await fetch(`${url}/api/portals`)).json()).portals : [];
}

/** Waits until all portals are in sync, applied from that commit. */
async function show(page, commit) {
  const isSo = (portal) => portal.status === "in-sync" && portal.commit === commit;
  await until(async () => (await portalsOn(page)).filter(isSo).length === names.length);
  console.log(`The page shows ${names.length} portals in sync, by ${commit.slice(0, 10)}.`);
}

try {
  tell(`${names.length} portals in one sandbox:`);
  const sandbox = begin(
    "sandbox",
    ["sandbox", "--target", "11.5", "--portals", String(names.length), "--output", "json"],
    {},
  );
  await until(() => sandbox.lines.length > 0);
  const ready = JSON.parse(sandbox.lines[0]);
  const { url, portalUrl, signInUrl, beid, webServicesKey } = ready;

  tell("Their files, in a repository:");
  const origin = join(folder, "origin.git");
  const desk = join(folder, "desk");
  mkdirSync(origin);
  git(origin, "init", "--quiet", "--bare", "--initial-branch=main");
  mkdirSync(desk);
  git(desk, "init", "--quiet", "--initial-branch=main");
  git(desk, "remote", "add", "origin", origin);
  for (const name of ["_base.yaml", "portals"]) cpSync(join(here, name), join(desk, name), { recursive: true });
  const change = (file, from, to) => {
    const path = join(desk, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
  };
  change("_base.yaml", "https://accounts.example.com", signInUrl);
  change("_base.yaml", /^state: .*$/m, `state: ${database}`);
  for (const [at, name] of names.entries()) {
    change(`portals/${name}.yaml`, /url: .*/, `url: ${portalUrl}\n  id: portal-${at + 1}`);
  }
  git(desk, "add", ".");
  git(desk, "commit", "--quiet", "--message", "Add the portals");
  git(desk, "push", "--quiet", "origin", "main");
  const checkout = join(folder, "page", "checkout");
  git(folder, "clone", "--quiet", origin, checkout);

  const { hostname, port } = new URL(database);
  const values = {
    LINTEL_QUEUE: database,
    LINTEL_REPOSITORY: origin,
    PGPASSWORD: process.env.PGPASSWORD ?? "",
    LINTEL_ALLOWED_HOSTS: `${url},postgres://${hostname}:${port || 5432}`,
    LINTEL_BEID: beid,
    LINTEL_WEB_SERVICES_KEY: webServicesKey,
  };
  const onPage = environmentIn("serve.env", values);
  const onWorker = environmentIn("worker.env", values);

  tell("Three workers wait for jobs; one serve lists the portals, and shows a page:");
  const worker = (at) =>
    begin(`worker-${at}`, ["worker", ...onWorker.LINTEL_WORKER_OPTIONS.split(" ")], onWorker);
  for (const at of [1, 2, 3]) worker(at);
  // Any free port.
  const options = onPage.LINTEL_SERVE_OPTIONS.replace("--port 8080", "--port 0").split(" ");
  const page = begin("page", ["serve", ...options], onPage, join(folder, "page"));
  await show(page, git(desk, "rev-parse", "HEAD"));

  tell("Ana merges another text, and one of the workers is killed:");
  change("_base.yaml", "New maps every Monday.", "New maps every Tuesday.");
  change("portals/harbour.yaml", "New charts every Monday.", "New charts every Tuesday.");
  git(desk, "commit", "--quiet", "--all", "--message", "New maps every Tuesday");
  git(desk, "push", "--quiet", "origin", "main");
  // --pull fetches each minute; the demo does not wait for it.
  git(checkout, "pull", "--quiet", "--ff-only");
  page.child.kill("SIGHUP");
  const merged = git(desk, "rev-parse", "HEAD");
  await until(() => page.lines.some((line) => line.includes(`Workers check ${merged.slice(0, 10)}`)));
  console.log(`worker-1 has ended with ${await end("worker-1", "SIGKILL")}`);
  await show(page, merged);

  tell("The status of the queue:");
  console.log("page$ lintel queue status");
  execFileSync(process.execPath, [bin, "queue", "status"], {
    env: { PATH: process.env.PATH, HOME: join(folder, "page"), ...onPage },
    stdio: "inherit",
  });

  tell("All processes end, and finish what they have begun:");
  for (const name of ["page", "worker-2", "worker-3"]) {
    const exit = await end(name, "SIGTERM");
    console.log(`${name} has ended with ${exit}`);
  }
} finally {
  for (const name of running.keys()) await end(name, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
