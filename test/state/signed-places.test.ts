// A key in the environment: wherever states are kept, what nobody with the key has signed is not believed, nor what is older than was seen.
import { describe, expect, onTestFinished, test } from "vitest";
import { digestOf, printState } from "../../src/state/format.js";
import { identityOf } from "../../src/state/key.js";
import { Failure } from "../../src/failure.js";
import type { State } from "../../src/state/state.js";
import { emptyState } from "../../src/state/steps.js";
import type { Store } from "../../src/state/store.js";
import { signedWith } from "../../src/state/trust/signature.js";
import { httpPlace } from "./http-place.js";
import { filePlace, io, machine, newFolder, type Place } from "./places.js";
import { databasePlace } from "./postgres-place.js";
import { gitPlace } from "./repositories.js";
import { holderFor, PORTAL, stateAfter } from "./samples.js";
import { s3Place } from "./s3-place.js";
import { startS3Server } from "./s3-server.js";
import { startStateServer } from "./state-server.js";

/** An empty one of each kind. */
const PLACES: Readonly<Record<string, () => Place | Promise<Place>>> = {
  "file:": () => filePlace(),
  "git:": () => gitPlace(),
  "postgres:": () => databasePlace(),
  "http:": async () => {
    const server = await startStateServer();
    onTestFinished(() => server.close());
    return httpPlace(server);
  },
  "s3:": async () => {
    const server = await startS3Server();
    onTestFinished(() => server.close());
    return s3Place(server);
  },
};

const [KEY, NEXT] = ["k".repeat(32), "n".repeat(32)];
const OTHER_PORTAL = identityOf("https://other.example.com/portal/sharing/rest", "self");

interface Machine {
  /** As a run on this machine opens it, with these keys. */
  open(place: Place, key?: string, old?: string): Store;
}

/** With a home of its own, as each machine has one. */
function newMachine(): Machine {
  const home = newFolder();
  return {
    open: (place, key, old) => {
      const env = {
        ...io.env,
        XDG_CONFIG_HOME: home,
        ...(key !== undefined && { LINTEL_STATE_KEY: key }),
        ...(old !== undefined && { LINTEL_STATE_KEY_OLD: old }),
      };
      return place.open({ io: { ...io, env } });
    },
  };
}

async function write(store: Store, state: State, expected: number): Promise<void> {
  const holder = holderFor(machine);
  await store.lock(holder);
  try {
    await store.read();
    await store.write(state, expected);
  } finally {
    await store.unlock(holder);
  }
}

/** Two writes with the key, which this machine has seen. */
async function signedAt(place: Place): Promise<Machine> {
  const own = newMachine();
  const store = own.open(place, KEY);
  await write(store, stateAfter(1), 0);
  await write(store, stateAfter(2), 1);
  return own;
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code }: { readonly code?: string }) => code,
  );
const readAt = (place: Place, own: Machine, key?: string, old?: string) =>
  codeOf(own.open(place, key, old).read());
const signed = (state: State, key = KEY) => printState(signedWith(key, state));

/** What somebody without the key can make of a signed state: whole, and believed by whoever has no key either. */
function forged(state: State): string {
  const { signature, ...rest } = { ...signedWith(KEY, stateAfter(2)), ...state };
  return printState({
    ...rest,
    signature: { over: digestOf(rest), hmac: signature?.hmac ?? "" },
  });
}

/** What stands there instead of what was written last → what a run with the key says. */
const PLANTED: Readonly<Record<string, readonly [text: () => string, code: string]>> = {
  "what was written": [() => signed(stateAfter(2)), "done"],
  "a later one": [() => signed(stateAfter(3)), "done"],
  "one without a signature": [() => printState(stateAfter(2)), "state-not-trusted"],
  "one that another key signed": [() => signed(stateAfter(2), NEXT), "state-not-trusted"],
  "one that was changed by hand": [
    () => forged({ ...stateAfter(2), leaves: [] }),
    "state-not-trusted",
  ],
  "an older one": [() => signed(stateAfter(1)), "state-rewound"],
  "one that was begun anew": [
    () => signed(stateAfter(9, emptyState("another", PORTAL))),
    "state-rewound",
  ],
  "another history with the same serial": [
    () =>
      signed({ ...stateAfter(2), earlier: { entries: 1, digest: "0".repeat(64) }, history: [] }),
    "state-rewound",
  ],
  "that of another portal": [
    () => signed({ ...stateAfter(2), portal: OTHER_PORTAL }),
    "state-of-another-portal",
  ],
};

describe.each(Object.entries(PLACES))("at %s", (_, makePlace) => {
  test.each(Object.entries(PLANTED))("%s", async (_name, [text, code]) => {
    const place = await makePlace();
    const own = await signedAt(place);
    expect(await readAt(place, own, KEY)).toBe("done");
    await place.plant(text());
    expect(await readAt(place, own, KEY)).toBe(code);
    // Nobody goes on from there either.
    if (code !== "done") {
      const store = own.open(place, KEY);
      // The help is that of the place, as for a damaged one.
      const failure = await store.read().catch((error: unknown) => error as Failure);
      const help = failure instanceof Failure ? failure.help : undefined;
      const isOther = code === "state-of-another-portal";
      expect(help?.includes(await store.back())).toBe(!isOther);
      expect(help).not.toMatch(/git log -p|git pull/);
      expect(await codeOf(write(store, stateAfter(3), 2))).toBe(code);
    }
  });

  test("one that is gone", async () => {
    const own = await signedAt(await makePlace());
    expect(await readAt(await makePlace(), own, KEY)).toBe("state-rewound");
  });

  test("what is older, on a machine that has seen none", async () => {
    const place = await makePlace();
    await signedAt(place);
    await place.plant(signed(stateAfter(1)));
    expect(await readAt(place, newMachine(), KEY)).toBe("done");
  });

  test("without the key, or with an empty one, it is read and not written", async () => {
    const place = await makePlace();
    await signedAt(place);
    const before = await place.stored();
    for (const key of [undefined, ""]) {
      const own = newMachine();
      expect(await readAt(place, own, key)).toBe("done");
      const store = own.open(place, key);
      const { signature } = (await store.read()) ?? {};
      const next: State = { ...stateAfter(3), ...(signature && { signature }) };
      expect(await codeOf(write(store, next, 2))).toBe("state-signed");
    }
    expect(await place.stored()).toBe(before);
  });

  test("an old key verifies, and the next write is signed with the new one", async () => {
    const place = await makePlace();
    const own = await signedAt(place);
    expect(await readAt(place, own, NEXT)).toBe("state-not-trusted");
    await write(own.open(place, NEXT, KEY), stateAfter(3), 2);
    expect(await readAt(place, own, NEXT)).toBe("done");
    expect(await readAt(place, own, KEY)).toBe("state-not-trusted");
  });

  test("what is written is signed, and says the same without its signature", async () => {
    const place = await makePlace();
    const own = await signedAt(place);
    const { signature, ...rest } = (await own.open(place, KEY).read()) ?? {};
    expect(signature).toEqual(signedWith(KEY, stateAfter(2)).signature);
    expect(rest).toEqual(stateAfter(2));
  });
});
