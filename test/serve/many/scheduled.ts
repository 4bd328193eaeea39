// So many portals that are as wanted, of which a state was kept before → what it costs one worker to look at each of them once, and what that leaves in the database.
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSandbox } from "../../../src/sandbox/sandbox.js";
import { printState } from "../../../src/state/format.js";
import { identityOf } from "../../../src/state/key.js";
import type { State } from "../../../src/state/state.js";
import { withSandbox, type Served } from "../../bench/served.js";
import { folderOf, lintel } from "../../support/run.js";
import { cpuMsOf, cpuMsOfServer, peakMiBOf } from "./cost.js";
import { begin, until } from "./machines.js";
import { openOrganisation, type Organisation } from "./organisation.js";

export interface Scheduled {
  readonly portals: number;
  /** Looks in a second, by one worker. */
  readonly looks: number;
  /** Of processor time, for each look. */
  readonly costMs: { readonly worker: number; readonly database: number };
  readonly peakMiB: { readonly worker: number; readonly serve: number };
  /** Sessions of the database. */
  readonly connections: number;
  /** That looks which found nothing new have left. */
  readonly rows: { readonly jobs: number; readonly events: number };
}

const BANNER = { informationalBanner: { text: "Same", enabled: true } };

export async function measureScheduled(portals: number): Promise<Scheduled> {
  const data = folderOf();
  const first = await startSandbox({ dataDir: data.path, portals });
  await first.close();
  const kept = join(data.path, "sandbox.json");
  const remembered = JSON.parse(readFileSync(kept, "utf8")) as object;
  const ids = Array.from({ length: portals }, (_, at) => `portal-${at + 1}`);
  const shown = Object.fromEntries(ids.map((id) => [id, BANNER]));
  writeFileSync(kept, JSON.stringify({ ...remembered, portals: shown }));
  const work = async (served: Served) => {
    const organisation = await openOrganisation(served, portals);
    try {
      return await measure(organisation, served);
    } finally {
      organisation.close();
    }
  };
  try {
    return await withSandbox(portals, work, ["--data", data.path]);
  } finally {
    data.remove();
  }
}

async function measure(organisation: Organisation, served: Served): Promise<Scheduled> {
  const { ids, ask, env, server } = organisation;
  organisation.merge("Same");
  const cwd = organisation.checkout("page");
  const one = await lintel(["apply", "portals/portal-1.yaml", "--yes", "--quiet"], { cwd, env });
  if (one.exit !== 0) throw new Error(one.stderr);
  await keepStates(organisation, served);
  const serve = begin(organisation, {
    name: "page",
    words: ["serve", "portals", "--every", "1d"],
    cwd,
  });
  const machines = [serve];
  try {
    const isSo = async (condition: string) => {
      const [row] = await ask(`SELECT ${condition} AS so`).catch(() => []);
      return row?.["so"] === true;
    };
    await until(
      () => machines,
      () => isSo(`(SELECT count(*) FROM lintel.portal WHERE due <= now()) = ${ids.length}`),
    );
    const worker = begin(organisation, { name: "worker", words: ["worker", "--apply", "files"] });
    machines.push(worker);
    await until(
      () => machines,
      () => worker.told.length > 0,
    );
    const cpuMs = () => cpuMsOf(worker.child.pid ?? 0);
    const before = { ms: Date.now(), cpuMs: cpuMs(), databaseMs: cpuMsOfServer(server) };
    await until(
      () => machines,
      async () => {
        await new Promise((turn) => setTimeout(turn, 500));
        return isSo(`(SELECT count(*) FROM lintel.known WHERE status = 'wanted') = ${ids.length}`);
      },
    );
    const each = (ms: number) => ms / ids.length;
    const [row] = await ask(
      `SELECT (SELECT count(*) FROM lintel_jobs.job) AS jobs,
         (SELECT count(*) FROM lintel.event) AS events,
         (SELECT count(*) FROM pg_stat_activity WHERE usename = 'lintel') AS connections`,
    );
    return {
      portals: ids.length,
      looks: (1000 * ids.length) / (Date.now() - before.ms),
      costMs: {
        worker: each(cpuMs() - before.cpuMs),
        database: each(cpuMsOfServer(server) - before.databaseMs),
      },
      peakMiB: {
        worker: peakMiBOf(worker.child.pid ?? 0),
        serve: peakMiBOf(serve.child.pid ?? 0),
      },
      connections: Number(row?.["connections"]),
      rows: { jobs: Number(row?.["jobs"]), events: Number(row?.["events"]) },
    };
  } finally {
    await Promise.all(machines.map((machine) => machine.end("SIGTERM")));
  }
}

/** Of all, as of the first. */
async function keepStates({ ids, ask }: Organisation, { portalUrl }: Served): Promise<void> {
  const [row] = await ask("SELECT document FROM lintel.state");
  const {
    digest: _digest,
    format: _format,
    ...state
  } = JSON.parse(String(row?.["document"])) as State & { digest: string; format: number };
  const states = ids.slice(1).map((id) => {
    const portal = identityOf(portalUrl, id);
    return { ...state, portal, lineage: randomUUID() };
  });
  await ask(
    `INSERT INTO lintel.state SELECT key, lineage, $1, document, now()
     FROM unnest($2::text[], $3::text[], $4::text[]) AS given (key, lineage, document)`,
    [
      state.serial,
      states.map(({ portal }) => portal.key),
      states.map(({ lineage }) => lineage),
      states.map((each) => printState(each)),
    ],
  );
}
