// So many portals that are as wanted and due again as soon as they were looked at → what a look costs one worker, and what looks leave in the database.
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSandbox } from "../../../src/sandbox/sandbox.js";
import { printState } from "../../../src/state/format.js";
import { identityOf } from "../../../src/state/key.js";
import type { State } from "../../../src/state/state.js";
import { medianOf } from "../../bench/measure.js";
import { withSandbox, type Served } from "../../bench/served.js";
import { folderOf, lintel } from "../../support/run.js";
import { cpuMsOf, cpuMsOfServer, peakMiBOf } from "./cost.js";
import { begin, until, type Machine } from "./machines.js";
import { openOrganisation, type Organisation } from "./organisation.js";

export interface Scheduled {
  readonly portals: number;
  /** In a second, by one worker. */
  readonly looks: number;
  /** Of processor time, for each look. */
  readonly costMs: { readonly worker: number; readonly database: number };
  readonly peakMiB: { readonly worker: number; readonly serve: number };
  /** Sessions of the database. */
  readonly connections: number;
  /** That looks which found nothing new have left. */
  readonly rows: { readonly jobs: number; readonly events: number };
}

/** A turn that has come and gone comes again at once. */
const AGAIN = `WITH again AS (
    UPDATE lintel.portal SET due = now() WHERE due > now() AND worker IS NULL RETURNING key
  ) SELECT count(*) AS looked FROM again`;

/** Whose middle one counts, because no machine is quiet all the time. */
const SAMPLES = 5;

const BANNER = { informationalBanner: { text: "Same", enabled: true } };

/** What many portals cost is seen beside what few do, in as many looks. */
export async function measureScheduled(portals: number, looks: number): Promise<Scheduled> {
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
      return await measure(organisation, served, looks);
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

async function measure(
  organisation: Organisation,
  served: Served,
  looks: number,
): Promise<Scheduled> {
  const { ids, ask, env, server } = organisation;
  // Rows that are over are taken away as anywhere else.
  await ask("ALTER SYSTEM SET autovacuum = on");
  await ask("SELECT pg_reload_conf()");
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
    const costs = () => ({
      ms: Date.now(),
      workerMs: cpuMsOf(worker.child.pid ?? 0),
      databaseMs: cpuMsOfServer(server),
    });
    const samples = await sample(ask, machines, { looks, costs });
    const [row] = await ask(
      `SELECT (SELECT count(*) FROM lintel_jobs.job WHERE state NOT IN ('created', 'active')) AS jobs,
         (SELECT count(*) FROM lintel.event) AS events,
         (SELECT count(*) FROM lintel.known WHERE failures > 0) AS failed,
         (SELECT count(*) FROM lintel.known WHERE status = 'in-sync') AS "inSync",
         (SELECT count(*) FROM pg_stat_activity WHERE usename = 'lintel') AS connections`,
    );
    const isWell = Number(row?.["failed"]) === 0 && Number(row?.["inSync"]) > 0.9 * ids.length;
    if (!isWell) throw new Error(`not all are in sync: ${JSON.stringify(row)}`);
    return {
      portals: ids.length,
      looks: medianOf(samples.map((each) => each.looks)),
      costMs: {
        worker: medianOf(samples.map(({ worker }) => worker)),
        database: medianOf(samples.map(({ database }) => database)),
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

interface Costs {
  readonly ms: number;
  readonly workerMs: number;
  readonly databaseMs: number;
}

/** For each look. A process's first ones are its dearest, and those that go on for weeks are meant. */
async function sample(
  ask: Organisation["ask"],
  machines: readonly Machine[],
  { looks, costs }: { readonly looks: number; readonly costs: () => Costs },
) {
  const look = async (times: number) => {
    let looked = 0;
    await until(
      () => machines,
      async () => {
        await new Promise((turn) => setTimeout(turn, 500));
        looked += Number((await ask(AGAIN))[0]?.["looked"]);
        return looked >= times;
      },
    );
    return looked;
  };
  await look(looks);
  const samples = [];
  for (let at = 0; at < SAMPLES; at++) {
    const before = costs();
    const looked = await look(looks / SAMPLES);
    const after = costs();
    samples.push({
      looks: (1000 * looked) / (after.ms - before.ms),
      worker: (after.workerMs - before.workerMs) / looked,
      database: (after.databaseMs - before.databaseMs) / looked,
    });
  }
  return samples;
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
    // As the sandbox calls it.
    const portal = { ...identityOf(portalUrl, id), own: { id } };
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
