// So many portals, changed by one process and then by one worker, two and four → how long each took, and what it cost.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { BIN, environment } from "../../support/run.js";
import { withSandbox } from "../../bench/served.js";
import { cpuMsOf, cpuMsOfServer, peakMiBOf } from "./cost.js";
import { begin, until, type Machine } from "./machines.js";
import { openOrganisation, type Organisation } from "./organisation.js";

export interface Throughput {
  readonly name: string;
  readonly tookMs: number;
  /** Of processor time, for each portal. */
  readonly costMs: { readonly processes: number; readonly database: number };
  readonly peakMiB: number;
}

export async function measureThroughput(
  portals: number,
  workers: readonly number[] = [1, 2, 4],
): Promise<readonly Throughput[]> {
  return await withSandbox(portals, async (served) => {
    const organisation = await openOrganisation(served, portals);
    const machines: Machine[] = [];
    try {
      const figures = [await byOne(organisation)];
      const place = organisation.checkout("page");
      const words = ["serve", "portals", "--every", "1d"];
      machines.push(begin(organisation, { name: "page", words, cwd: place }));
      await published(organisation, machines);
      for (const count of workers) {
        while (machines.length <= count) {
          const name = `worker-${machines.length}`;
          machines.push(begin(organisation, { name, words: ["worker", "--apply", "files"] }));
        }
        await until(
          () => machines,
          () => machines.every(({ told }) => told.length > 0),
        );
        figures.push(await byWorkers(organisation, machines, `Of${count}`));
      }
      return figures;
    } finally {
      await Promise.all(machines.map((each) => each.end("SIGTERM")));
      organisation.close();
    }
  });
}

async function byOne(organisation: Organisation): Promise<Throughput> {
  const { ids, server } = organisation;
  organisation.merge("First");
  const cwd = organisation.checkout("alone");
  const apply = async () => {
    const before = { ms: Date.now(), cpuMs: cpuMsOfServer(server) };
    const words = [BIN, "apply", "portals", "--yes", "--quiet"];
    const child = spawn(process.execPath, words, {
      cwd,
      env: environment({ ...organisation.env, HOME: organisation.folder }),
      stdio: ["ignore", "ignore", "inherit"],
    });
    let [cpuMs, peakMiB] = [0, 0];
    const watch = setInterval(() => {
      cpuMs = cpuMsOf(child.pid ?? 0) || cpuMs;
      peakMiB = Math.max(peakMiB, peakMiBOf(child.pid ?? 0));
    }, 100);
    const [exit] = (await once(child, "exit")) as [number | null];
    clearInterval(watch);
    if (exit !== 0) throw new Error(`apply has ended with ${exit}`);
    return { ...costOf(organisation, before, cpuMs), peakMiB };
  };
  // The first brings each portal its state; what is compared is a change.
  await apply();
  organisation.merge("Alone");
  organisation.checkout("alone");
  return { name: `apply, ${ids.length} portals`, ...(await apply()) };
}

async function byWorkers(
  organisation: Organisation,
  machines: readonly Machine[],
  text: string,
): Promise<Throughput> {
  const { ids, server, ask } = organisation;
  const workers = machines.slice(1);
  const cpuMs = () => workers.reduce((all, { child }) => all + cpuMsOf(child.pid ?? 0), 0);
  organisation.merge(text);
  organisation.checkout("page");
  machines[0]?.child.kill("SIGHUP");
  const before = { cpuMs: cpuMsOfServer(server) };
  const workersBefore = cpuMs();
  await published(organisation, machines);
  const ms = Date.now();
  // Asked seldom, because it takes time from those who work.
  await until(
    () => machines,
    async () => {
      await new Promise((turn) => setTimeout(turn, 500));
      const [row] = await ask(
        `SELECT count(*) AS left FROM lintel.portal p WHERE worker IS NOT NULL OR queued IS NOT NULL OR due <= now()`,
      );
      return Number(row?.["left"]) === 0;
    },
  );
  const [row] = await ask(
    `SELECT extract(epoch FROM max(s.written_at) - r.published_at) * 1000 AS ms,
       (SELECT count(*) FROM lintel.state, jsonb_array_elements(document::jsonb -> 'history') AS entry
        WHERE entry @> $1::jsonb) AS entries
     FROM lintel.state s, lintel.revision r GROUP BY r.published_at`,
    [JSON.stringify({ changes: [{ after: text }] })],
  );
  if (Number(row?.["entries"]) !== ids.length) throw new Error(`not all portals show "${text}"`);
  const cost = costOf(organisation, { ms, ...before }, cpuMs() - workersBefore);
  const peakMiB = Math.max(...workers.map(({ child }) => peakMiBOf(child.pid ?? 0)));
  return { name: `${workers.length} workers`, ...cost, tookMs: Number(row?.["ms"]), peakMiB };
}

function costOf(
  { ids, server }: Organisation,
  before: { readonly ms: number; readonly cpuMs: number },
  cpuMs: number,
): Pick<Throughput, "tookMs" | "costMs"> {
  const database = (cpuMsOfServer(server) - before.cpuMs) / ids.length;
  return { tookMs: Date.now() - before.ms, costMs: { processes: cpuMs / ids.length, database } };
}

/** What was merged last stands in the queue. */
async function published(organisation: Organisation, machines: readonly Machine[]): Promise<void> {
  const head = execFileSync("git", ["rev-parse", "HEAD"], {
    cwd: organisation.checkout("page"),
    encoding: "utf8",
  }).trim();
  await until(
    () => machines,
    async () => {
      const [row] = await organisation
        .ask("SELECT document FROM lintel.revision")
        .catch(() => [undefined]);
      return String(row?.["document"]).includes(`"${head}"`);
    },
  );
}
