// Generates arbitrary states for property tests.
import { fc } from "../support/property.js";
import type { Json, JsonObject } from "../../src/lib/json.js";
import { CAUSES } from "../../src/settings.js";
import {
  ACTIONS,
  GUARD_WAYS,
  KINDS,
  NOTES,
  type Author,
  type Entry,
  type State,
} from "../../src/state/state.js";
import { digestOf } from "../../src/state/format.js";
import { append } from "../../src/state/history.js";
import { PORTAL } from "./samples.js";

// What goes through JSON comes back without -0.
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json);
const mapping = fc
  .dictionary(fc.string(), json)
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);
const path = fc.array(fc.oneof(fc.string(), fc.nat()), { minLength: 1, maxLength: 4 });
const word = fc.string({ unit: "binary", minLength: 1 });
const time = fc
  .date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const author: fc.Arbitrary<Author> = fc.record(
  { actor: word, account: word, host: word, commit: word, job: word },
  { requiredKeys: ["actor", "host"] },
);
const change = fc.record(
  {
    path,
    action: fc.constantFrom(...ACTIONS),
    cause: fc.constantFrom(...CAUSES),
    window: fc.record({
      name: fc.string({ minLength: 1 }),
      is: fc.constantFrom("open", "over"),
      since: time,
    }),
    before: json,
    after: json,
    shown: json,
  },
  { requiredKeys: ["path", "action", "cause", "after"] },
);
const settled = {
  kind: fc.constantFrom(...KINDS),
  time,
  by: author,
  planDigest: word,
  guards: fc.array(
    fc.record(
      { guard: word, path, how: fc.constantFrom(...GUARD_WAYS), reason: word },
      { requiredKeys: ["guard", "how"] },
    ),
  ),
  changes: fc.array(change),
};
const sent = fc.array(fc.record({ path, sent: json }));
const entry = fc.record(
  {
    number: fc.integer({ min: 1 }),
    outcome: fc.constant("unknown" as const),
    ...settled,
    run: word,
    alsoSent: sent,
    live: fc.record({ before: mapping, after: mapping }, { requiredKeys: [] }),
  },
  { requiredKeys: ["number", "kind", "time", "by", "planDigest", "guards", "changes"] },
);
const note = fc.record(
  {
    kind: fc.constantFrom(...NOTES),
    time,
    by: author,
    guards: fc.constant([]),
    changes: fc.constant([]),
    why: fc.string(),
    until: time,
    paths: fc.array(path),
  },
  { requiredKeys: ["kind", "time", "by", "guards", "changes"] },
);
const anyEntries: fc.Arbitrary<readonly Entry[]> = fc.array(fc.oneof(entry, note), {
  maxLength: 5,
});
const hexDigest = fc.stringMatching(/^[0-9a-f]{64}$/);
const timedDigest = hexDigest.map(
  (hex) => `2026-06-15T16:00:00Z/2026-06-15T20:00:00Z/${hex}/night`,
);
const recurringDigest = hexDigest.map((digest) => `every/%7B%22day%22%3A7%7D/${digest}/night`);
const given = fc.array(fc.oneof(hexDigest, timedDigest, recurringDigest), { maxLength: 3 });
const own = fc.record({ id: word, hostname: word }, { requiredKeys: ["id"] });

export const anyState: fc.Arbitrary<State> = fc
  .record(
    {
      lineage: word,
      serial: fc.integer({ min: 1 }),
      portal: fc.option(own).map((each) => (each ? { ...PORTAL, own: each } : PORTAL)),
      leaves: fc.array(
        fc.record(
          { path, sent: json, shown: json, given },
          { requiredKeys: ["path", "sent", "shown"] },
        ),
      ),
      alsoSent: sent,
      journal: fc.record({
        ...settled,
        settings: mapping,
        timeoutMs: fc.integer({ min: 1 }),
        before: mapping,
        leaves: fc.array(
          fc.record({ path, sent: json, given }, { requiredKeys: ["path", "sent"] }),
        ),
      }),
      hold: fc.record(
        {
          since: time,
          by: author,
          why: word,
          until: time,
          wants: fc.array(fc.record({ path, value: json })),
        },
        { requiredKeys: ["since", "by", "why"] },
      ),
      hmac: hexDigest,
      told: fc.tuple(anyEntries, fc.option(fc.record({ entries: fc.integer({ min: 1 }) }))),
    },
    { requiredKeys: ["lineage", "serial", "portal", "leaves", "told"] },
  )
  .map(({ told: [entries, earlier], hmac, ...rest }) => {
    const state: State = {
      ...rest,
      ...append({ history: [], ...(earlier && { earlier }) }, ...entries),
    };
    return hmac === undefined ? state : { ...state, signature: { over: digestOf(state), hmac } };
  });
