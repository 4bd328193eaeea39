// For every place: unsigned states and older ones are refused.
import { describe, expect, onTestFinished, test } from "vitest";
import { openHttp } from "../../src/http/http.js";
import { printState } from "../../src/state/format.js";
import { identityOf } from "../../src/state/key.js";
import { openStores } from "../../src/state/open.js";
import type { State } from "../../src/state/state.js";
import type { StateStore } from "../../src/state/state-store.js";
import { emptyState } from "../../src/state/steps.js";
import { signedWith } from "../../src/state/signature.js";
import { writeStateIn } from "../support/state-files.js";
import { httpPlace } from "./http-place.js";
import { io } from "./places.js";
import { newFolder } from "./programs.js";
import { databasePlace } from "./postgres-place.js";
import { makeServer } from "./repositories.js";
import { PORTAL, stateAfter } from "./samples.js";
import { s3Place } from "./s3-place.js";
import { startS3Server } from "./s3-server.js";
import { startStateServer } from "./state-server.js";

interface Kept {
  readonly address: string;
  /** The folder of the desired-state file. */
  readonly from?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** In the place of the state that stands there. */
  plant(text: string): void | Promise<void>;
  remove(): unknown;
}

/** An empty one of each kind. */
const PLACES: Readonly<Record<string, () => Kept | Promise<Kept>>> = {
  "file:": () => {
    const folder = newFolder();
    const plant = (text?: string) => writeStateIn(folder, PORTAL.key, text);
    return { address: `file:${folder}`, plant, remove: () => plant() };
  },
  "git:": () => {
    const server = makeServer();
    return {
      address: "git:lintel-state",
      from: server.clone("clone"),
      env: server.env,
      plant: (text) => server.plant(text),
      remove: () => server.git("branch", "-D", "lintel-state"),
    };
  },
  "postgres:": async () => {
    const place = await databasePlace();
    const remove = () => place.admin((ask) => ask(`DELETE FROM ${place.schema}.state`));
    return { ...place, remove };
  },
  "http:": async () => {
    const server = await startStateServer();
    onTestFinished(() => server.close());
    return { ...httpPlace(server), remove: () => server.forget() };
  },
  "s3:": async () => {
    const server = await startS3Server();
    onTestFinished(() => server.close());
    const place = s3Place(server);
    return { ...place, remove: () => server.objects.delete(place.name) };
  },
};

const [KEY, NEXT] = ["k".repeat(32), "n".repeat(32)];
const OTHER_PORTAL = identityOf("https://other.example.com/portal/sharing/rest", "self");

/** With a cache folder of its own, as each machine has one. */
function newMachine() {
  const cache = newFolder();
  const notices: string[] = [];
  /** As a run on this machine opens it, with this key. */
  const open = ({ address, from = "/", env = {} }: Kept, key?: string): StateStore => {
    const keys = key !== undefined && { LINTEL_STATE_KEY: key };
    const own = { ...io, cwd: from, env: { ...env, ...keys, LINTEL_STATE_CACHE: cache } };
    const assertAllowed = () => {};
    const http = openHttp(own, { assertAllowed });
    const notice = (sentence: string) => void notices.push(sentence);
    const stores = openStores({ io: own, http, assertAllowed, onAgeUnknown: notice });
    onTestFinished(async () => {
      await stores.close();
      await http.close();
    });
    return stores.open({ address, file: "portal.yaml", portal: PORTAL });
  };
  return { open, notices };
}
type Machine = ReturnType<typeof newMachine>;

/** Two writes with the key, which this machine has seen. */
async function signedAt(place: Kept): Promise<Machine> {
  const own = newMachine();
  const store = own.open(place, KEY);
  const first = await store.write(stateAfter(1), undefined);
  await store.write(stateAfter(2), first);
  return own;
}

const readAt = (place: Kept, { open }: Machine, key?: string) =>
  open(place, key)
    .read()
    .then(
      () => "done",
      ({ code }: { readonly code?: string }) => code,
    );
const signed = (state: State, key = KEY) => printState(signedWith(key, state));

/** What stands there instead of what was written last → what a run with the key says. */
const PLANTED: Readonly<Record<string, readonly [text: string, code: string]>> = {
  "the written state": [signed(stateAfter(2)), "done"],
  "a later one": [signed(stateAfter(3)), "done"],
  "one without a signature": [printState(stateAfter(2)), "state-not-trusted"],
  "one signed with another key": [signed(stateAfter(2), NEXT), "state-not-trusted"],
  "an older one": [signed(stateAfter(1)), "state-rewound"],
  "a new one": [signed(stateAfter(9, emptyState("x", PORTAL))), "state-rewound"],
  "one of another portal": [signed({ ...stateAfter(2), portal: OTHER_PORTAL }), "state-not-ours"],
};

describe.each(Object.entries(PLACES))("at %s", (_, makePlace) => {
  test("a run with the key reads trusted states, and refuses others", async () => {
    const place = await makePlace();
    const own = await signedAt(place);
    expect(await readAt(place, own, KEY)).toBe("done");
    // The later one last, because it is remembered.
    const ordered = Object.entries(PLANTED).toSorted(([one]) => (one === "a later one" ? 1 : -1));
    for (const [name, [text, code]] of ordered) {
      await place.plant(text);
      expect([name, await readAt(place, own, KEY)]).toEqual([name, code]);
    }
    await place.remove();
    expect(await readAt(place, own, KEY)).toBe("state-rewound");
  });

  test("a new machine reads an older state, with one notice that its age is not verified", async () => {
    const place = await makePlace();
    await signedAt(place);
    await place.plant(signed(stateAfter(1)));
    const own = newMachine();
    const store = own.open(place, KEY);
    expect((await store.read()).state).toEqual(signedWith(KEY, stateAfter(1)));
    await store.read();
    expect(own.notices).toEqual([expect.stringMatching(/^State age not verified: /)]);
    own.notices.length = 0;
    expect(await readAt(place, own, KEY)).toBe("done");
    expect(own.notices).toEqual([]);
  });

  test("the first run gets no notice of the age", async () => {
    const [place, own] = [await makePlace(), newMachine()];
    expect(await readAt(place, own)).toBe("done");
    expect(own.notices).toEqual([]);
  });

  test("reads but does not write a signed state without the key", async () => {
    const place = await makePlace();
    await signedAt(place);
    for (const key of [undefined, ""]) {
      const store = newMachine().open(place, key);
      const { state, version } = await store.read();
      const { signature } = state ?? {};
      const next: State = { ...stateAfter(3), ...(signature && { signature }) };
      await expect(store.write(next, version)).rejects.toMatchObject({ code: "state-not-trusted" });
    }
    const { state } = await newMachine().open(place, KEY).read();
    expect(state).toEqual(signedWith(KEY, stateAfter(2)));
  });
});
