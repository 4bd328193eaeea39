// So many portals and machines → a change to all portals while machines are killed, the database is restarted and portals hang: what came of it, as figures.
import { startSandbox } from "../../../src/sandbox/sandbox.js";
import { restartPostgres } from "../../support/postgres.js";
import { lintel } from "../../support/run.js";
import { hang, listenTo, textAt } from "./heard.js";
import { begin, until, type Machine } from "./machines.js";
import { openOrganisation, type Organisation } from "./organisation.js";
import { forge, putRevision, refusedEverywhere, revisionOf } from "./tampering.js";
import type { RevisionRow } from "../../../src/serve/bundle/revision.js";

export interface Story {
  readonly portals: number;
  readonly workers: number;
  /** One of so many hangs. */
  readonly hangsEach: number;
  /** They hang until all others are done, and so long at least. */
  readonly hangMs: number;
  /** A worker is killed after so long, once so many more portals have changed. */
  readonly killed: { readonly afterMs: number; readonly afterPortals: number };
  /** How long a call to a portal may take. */
  readonly timeoutS: number;
}

export async function openStory(story: Story) {
  const sandbox = await startSandbox({ portals: story.portals });
  const heard = listenTo(sandbox);
  const organisation = await openOrganisation(sandbox, story.portals);
  const { ids } = organisation;
  organisation.merge("One");
  const lagging = organisation.checkout("page-3");
  const machines = new Map<string, Machine>();
  const begun: Machine[] = [];
  const all = () => [...machines.values()];
  const run = (name: string, words: readonly string[], cwd?: string) => {
    const machine = begin(organisation, { name, words, ...(cwd !== undefined && { cwd }) });
    machines.set(name, machine);
    begun.push(machine);
    return machine;
  };
  const timeout = ["--timeout", String(story.timeoutS)];
  const worker = (at: number) => run(`worker-${at}`, ["worker", "--apply", "files", ...timeout]);
  const serve = (name: string) =>
    run(name, ["serve", "portals", "--every", "1d"], organisation.checkout(name));
  const shown = (text: string, some: readonly string[]) =>
    some.filter((id) => textAt(sandbox, id) === text).length;

  async function settled(text: string): Promise<void> {
    await until(all, async () => shown(text, ids) === ids.length && (await isStill(organisation)));
  }

  async function kill(name: string): Promise<void> {
    const machine = machines.get(name);
    machines.delete(name);
    await machine?.end("SIGKILL");
  }

  return {
    organisation,
    sandbox,
    heard,
    machines,
    /** What all have told, those that were killed, too. */
    told: () => begun.flatMap(({ told }) => told),
    all,
    worker,
    serve,
    kill,
    settled,
    /** All portals are to show another text, while everything happens that may. */
    async change(text: string) {
      const hanging = ids.filter((_, at) => at % story.hangsEach === 0);
      const others = ids.filter((_, at) => at % story.hangsEach !== 0);
      const release = hang(sandbox, hanging);
      const beganMs = Date.now();
      organisation.merge(text);
      organisation.checkout("page-1");
      // Whoever would publish goes, and another one has to.
      await kill("page-1");
      organisation.checkout("page-2");
      machines.get("page-2")?.child.kill("SIGHUP");
      let [kills, killedMs, killedAt, othersMs] = [0, beganMs, 0, 0];
      let isRestarted = false;
      await until(all, async () => {
        const done = shown(text, others);
        const nowMs = Date.now();
        // Who begins while there is no server ends, and systemd begins it anew; here nobody does.
        if (!all().every(({ told }) => told.length > 0)) return false;
        if (!isRestarted && done > others.length / 3) {
          await restartPostgres(organisation.server);
          isRestarted = true;
        }
        if (done > others.length / 2 && !machines.has("page-1")) serve("page-1");
        const { afterMs, afterPortals } = story.killed;
        const isTime = nowMs - killedMs >= afterMs;
        if (isTime && (done - killedAt >= afterPortals || done === others.length)) {
          [killedMs, killedAt] = [nowMs, done];
          const at = (kills++ % story.workers) + 1;
          await kill(`worker-${at}`);
          worker(at);
        }
        if (done < others.length || !isRestarted) return false;
        othersMs ||= nowMs - beganMs;
        return nowMs - beganMs >= story.hangMs;
      });
      const changedUnheard = shown(text, hanging);
      release();
      // As somebody does who has seen to it that they answer again: sooner than by their turns.
      await until(all, async () => {
        await lintel(["queue", "retry"], { cwd: organisation.folder, env: organisation.env });
        return shown(text, ids) === ids.length;
      });
      await settled(text);
      const times = (some: readonly string[]) => counted(some.map((id) => heard.updates(id, text)));
      return {
        kills,
        othersMs,
        allMs: Date.now() - beganMs,
        /** Of those that hang. */
        changedUnheard,
        received: { hanging: times(hanging), others: times(others) },
        entries: counted(await entriesOf(organisation, text)),
      };
    },
    /** What others than whoever has the key may try; the portals are to show the text before it and after it. */
    async tamper(text: string, old: RevisionRow) {
      for (const name of ["page-1", "page-2"]) {
        await machines.get(name)?.end("SIGTERM");
        machines.delete(name);
      }
      const updates = heard.all();
      const whole = await revisionOf(organisation);
      await forge(organisation, text, "Forged");
      await refusedEverywhere(organisation, all);
      await putRevision(organisation, old);
      await refusedEverywhere(organisation, all);
      await putRevision(organisation, whole);
      // Its checkout is as it was before the text was merged.
      const behind = run("page-3", ["serve", "portals", "--every", "1d"], lagging);
      await until(all, () =>
        behind.told.some(
          ({ event, message }) => event === "revision" && message.includes("lags behind"),
        ),
      );
      await settled(text);
      const complaints = new Set(
        all().flatMap(({ told }) => told.flatMap(({ failure }) => failure?.code ?? [])),
      );
      return {
        updates: heard.all() - updates,
        complaints: [...complaints].toSorted(),
        isAsBefore: JSON.stringify(await revisionOf(organisation)) === JSON.stringify(whole),
      };
    },
    /** How each of them ended. */
    async end() {
      return await Promise.all(all().map((each) => each.end("SIGTERM")));
    },
    async close() {
      await Promise.all(all().map((each) => each.end("SIGKILL")));
      heard.close();
      await sandbox.close();
      organisation.close();
    },
  };
}

/** How often each number is among them: "1" → 1960. */
function counted(numbers: readonly number[]): Readonly<Record<number, number>> {
  const found: Record<number, number> = {};
  for (const each of numbers) found[each] = (found[each] ?? 0) + 1;
  return found;
}

/** Nothing is under way, and nothing waits to be. */
async function isStill({ ask }: Organisation): Promise<boolean> {
  const [row] = await ask(
    `SELECT (SELECT count(*) FROM lintel.portal
             WHERE worker IS NOT NULL OR queued IS NOT NULL OR put_off IS NOT NULL OR due <= now())
          + (SELECT count(*) FROM lintel.state WHERE document::jsonb ? 'journal') AS busy`,
  );
  return Number(row?.["busy"]) === 0;
}

/** By portals, how many entries of the history say that it was given the text. */
async function entriesOf({ ask }: Organisation, text: string): Promise<readonly number[]> {
  const rows = await ask(
    `SELECT count(*) AS entries
     FROM lintel.state, jsonb_array_elements(document::jsonb -> 'history') AS entry
     WHERE entry @> $1::jsonb GROUP BY portal`,
    [JSON.stringify({ changes: [{ after: text }] })],
  );
  return rows.map(({ entries }) => Number(entries));
}

/** What is left when all have ended. */
export async function leftAt({ ask }: Organisation) {
  const [row] = await ask(
    `SELECT (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory') AS locks,
       (SELECT count(*) FROM lintel_jobs.job WHERE state < 'completed') AS jobs,
       (SELECT count(*) FROM lintel.portal WHERE worker IS NOT NULL OR queued IS NOT NULL) AS portals`,
  );
  return Object.fromEntries(
    Object.entries(row ?? {}).map(([name, count]) => [name, Number(count)]),
  );
}
