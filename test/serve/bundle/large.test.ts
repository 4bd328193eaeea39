// A revision of 20,000 portals: what it is made of, what a change of one file costs, and that nothing of it is left out.
import { expect, test } from "vitest";
import { digestOfText } from "../../../src/lib/digest.js";
import { secret } from "../../../src/secret.js";
import { bundleText } from "../../../src/serve/bundle/bundle.js";
import { put } from "../../../src/serve/bundle/put.js";
import { readRevision, rowOf } from "../../../src/serve/bundle/revision.js";
import { readStored, type Ask, type StoredRevision } from "../../../src/serve/bundle/tables.js";
import { BASE, KEY, keyOf, openQueue, portalFile } from "./queue.js";

const PORTALS = 20_000;

function packed(at: number, rest = "") {
  const [file, base] = [portalFile(at, rest), BASE];
  const bundle = bundleText({
    key: keyOf(at),
    file: `portals/${at}.yaml`,
    name: `portal-${at}`,
    url: `https://gis${at}.example.com/portal/sharing/rest`,
    id: "self",
    pool: null,
    windows: [],
    files: [
      ["_base.yaml", digestOfText(base)],
      [`portals/${at}.yaml`, digestOfText(file)],
    ],
    variables: {},
  });
  return [bundle, file, base].map((text) => [digestOfText(text), () => Buffer.from(text)] as const);
}

test("of 20,000 portals is two megabytes, and a file that changes sends a bundle, itself and those", async () => {
  const queue = await openQueue();
  const { schema } = queue;
  const sent = { statements: 0, bytes: 0 };
  const ask: Ask = async (text, values = []) => {
    sent.statements++;
    for (const each of values.flat()) sent.bytes += Buffer.isBuffer(each) ? each.length : 0;
    return queue.ask(text, values);
  };
  const database = { schema, ask, together: <T>(work: (own: Ask) => Promise<T>) => work(ask) };
  await queue.ask(
    `INSERT INTO ${schema}.revision (queue, number, document, signature) VALUES ('own', 0, '', '')`,
  );
  const key = secret(KEY);
  const bundles = new Map<string, string>();
  const publish = async (portals: readonly (readonly [number, string?])[]) => {
    Object.assign(sent, { statements: 0, bytes: 0 });
    const parts = portals.flatMap(([at, rest]) => {
      const [bundle, ...files] = packed(at, rest);
      bundles.set(keyOf(at), bundle?.[0] ?? "");
      return bundle ? [bundle, ...files] : [];
    });
    const before = (await readStored(queue.ask, schema)) as StoredRevision;
    const number = before.number + 1;
    const next = {
      ...before,
      ...rowOf({ queue: before.queue, number, commit: null, bundles }, key),
    };
    const change = { database, before, next, parts: new Map(parts), unused: [] };
    expect(await put({ ...change, revised: () => Promise.resolve() })).toBe(true);
    return next;
  };
  const first = await publish(Array.from({ length: PORTALS }, (_, at) => [at] as const));
  expect(first.document.length).toBeLessThan(2_200_000);
  const stored = (await readStored(queue.ask, schema)) as StoredRevision;
  const { revision } = readRevision(stored, { key, queue: stored.queue });
  expect(revision?.bundles).toEqual(bundles);
  expect((await queue.stored()).parts).toBe(2 * PORTALS + 1);
  await publish([[7, "settings: { blockBetaApps: true }\n"]]);
  expect((await queue.stored()).parts).toBe(2 * PORTALS + 3);
  expect(sent.bytes).toBeLessThan(1_000);
  expect(sent.statements).toBeLessThan(10);
  expect((await (await queue.openMachine().work())(keyOf(7))).revision).toBe(2);
});
