// Keeps states in a bucket: one object for each portal. Each write is a PUT on condition that the object is unchanged.
import { CallFailure } from "../http/http.js";
import { shellWord, showForeign, visible } from "../lib/text.js";
import type { Answer, Request } from "../request.js";
import { secret, type Secret } from "../secret.js";
import { bucketAt, type Bucket } from "../state-address/bucket.js";
import { Failure } from "../failure.js";
import { LARGEST_STATE, parseState } from "./format.js";
import { refusedAt, type Cause } from "./place-refusal.js";
import { damaged, fitOf } from "./refusal.js";
import { credentialsFor, wordIn, type Credentials } from "./s3-credentials.js";
import { encodePart, signed } from "./s3-sign.js";
import type { Place, StateOwner, StatesAt, StateStore, Version } from "./state-store.js";
import { swap, type Sent, type StoredText } from "./swap.js";

/** Temporary keys are renewed this long before they expire. */
const RENEW_MS = 300_000;
/** Stays in the bucket, so that a role needs no right to delete. */
const PROBE = ".lintel-conditions";
const PROBE_TEXT = "Lintel writes this object to test If-None-Match and If-Match.\n";
/** Matches no object. */
const NO_ETAG = `"${"0".repeat(32)}"`;

export function openBucketStates(place: Place): StatesAt {
  const { io, address, written } = place;
  const found = fitOf(bucketAt(address, io.env), { address, written });
  if (!found.root || found.region === undefined) throw noRegion(written ?? address);
  const objects = openObjects(place, { ...found, root: found.root, region: found.region });
  let probing: Promise<void> | undefined;
  /** Once a run. */
  async function probe(): Promise<void> {
    probing ??= assertConditional(objects);
    try {
      await probing;
    } catch (error) {
      probing = undefined;
      throw error;
    }
  }
  return {
    storeOf: (owner) => storeOf(owner, place, { found, objects, probe }),
    // The connections belong to the run's HTTP client.
    close: async () => {},
  };
}

interface Opened {
  readonly found: Bucket;
  readonly objects: Objects;
  readonly probe: () => Promise<void>;
}

function storeOf(
  { portal, file }: StateOwner,
  { io, address, written }: Place,
  { found, objects, probe }: Opened,
): StateStore {
  const name = `${portal.key}.json`;
  const place = objects.placeOf(name);
  const { bucket, folders, endpoint } = found;
  const recovery = recoveryOf(
    written === undefined
      ? { bucket, key: [...folders, name].join("/"), endpoint }
      : { bucket: "BUCKET", key: name },
  );
  return {
    place,
    recovery: () => recovery,
    memoryName: async () => `${address} ${portal.key}`,
    async read() {
      const stored = await objects.look(name);
      if (!stored) return { state: undefined, version: undefined };
      const { text, version } = stored;
      return { state: parseState(text, { place, recovery, portal }), version };
    },
    async write(state, version) {
      await probe();
      return swap(state, version, {
        io,
        place,
        file,
        send: (text) => objects.put(name, text, conditionFor(version)),
        look: () => objects.look(name, true),
      });
    },
    probe,
  };
}

/** The objects of a bucket, read and written with conditions and signed requests. */
interface Objects {
  /** For messages. */
  readonly placeOf: (name: string) => string;
  readonly look: (name: string, mustFinish?: true) => Promise<StoredText | undefined>;
  readonly put: (name: string, text: string, condition: Condition) => Promise<Sent>;
}

function openObjects(
  { io, http: shared, written }: Place,
  { bucket, folders, region, root }: Bucket & { readonly root: URL; readonly region: string },
): Objects {
  const path = [...folders, ""].map((each) => encodePart(each)).join("/");
  const http = shared.with({ answerLimit: LARGEST_STATE });
  let keys: Promise<Credentials> | undefined;

  async function currentKeys(): Promise<Credentials> {
    const known = await keys?.catch(() => undefined);
    const isOver = known?.expiresMs !== undefined && known.expiresMs - RENEW_MS < io.now();
    if (!known || isOver) keys = credentialsFor(io, shared, region);
    return keys as Promise<Credentials>;
  }

  const placeOf = (name: string) =>
    `${written ?? `s3://${[bucket, ...folders].join("/")}`}/${name}`;

  async function call(method: "GET" | "PUT", name: string, sending: Sending = {}) {
    const { condition = {}, text = "", mustFinish } = sending;
    const address = new URL(path + encodePart(name), root);
    const own = await currentKeys();
    const signing = { method, address, headers: condition, body: text, region, keys: own };
    const { authorization = "", ...headers } = signed({ ...signing, nowMs: io.now() });
    const secrets: readonly Secret[] = own.session ? [own.key, own.session] : [own.key];
    const answer = await http.call({
      method,
      url: address.href,
      ...(written !== undefined && { written }),
      headers: {
        ...headers,
        ...(own.session && { "x-amz-security-token": own.session }),
        authorization: secret(authorization),
      },
      ...(method === "PUT" && { body: { text, contentType: "application/json" } }),
      secrets,
      // The condition prevents a second write.
      repeats: "freely",
      ...(mustFinish && { mustFinish }),
    });
    return { answer, refused: () => refused(answer, placeOf(name), method, secrets) };
  }

  return {
    placeOf,
    async look(name, mustFinish) {
      const { answer, refused: failure } = await call("GET", name, mustFinish && { mustFinish });
      const { status, text, headers, strayByteAt } = answer;
      if (status === 404 && wordIn(text, "Code") !== "NoSuchBucket") return undefined;
      if (status !== 200) throw failure();
      if (strayByteAt !== undefined)
        throw damaged({ place: placeOf(name) }, "it is not UTF-8 text");
      return { text, version: headers["etag"] ?? "" };
    },
    async put(name, text, condition) {
      try {
        const sending = { text, condition, mustFinish: true } as const;
        const { answer, refused: failure } = await call("PUT", name, sending);
        const { status, headers, text: said } = answer;
        if (status === 200) return { version: headers["etag"] ?? "" };
        // For an unmet condition, a simultaneous write, and a deleted object.
        const isUnmet = [404, 409, 412].includes(status);
        if (isUnmet && wordIn(said, "Code") !== "NoSuchBucket") return "conflict";
        if (status < 500 || status === 501) throw failure();
        return { unclear: failure() };
      } catch (error) {
        if (error instanceof CallFailure && error.sent) return { unclear: error };
        throw error;
      }
    },
  };
}

interface Sending extends Pick<Request, "mustFinish"> {
  readonly condition?: Condition;
  readonly text?: string;
}

/** Sends a write that must fail. A store that accepts it would also accept a write over another run's state. */
async function assertConditional({ put, placeOf }: Objects): Promise<void> {
  const isNew = { "if-none-match": "*" };
  const first = await put(PROBE, PROBE_TEXT, isNew);
  const again = first === "conflict" ? first : await put(PROBE, PROBE_TEXT, isNew);
  if (again !== "conflict") throw notConditional("If-None-Match", again, placeOf(""));
  const over = await put(PROBE, PROBE_TEXT, { "if-match": NO_ETAG });
  if (over !== "conflict") throw notConditional("If-Match", over, placeOf(""));
}

function notConditional(header: string, sent: Exclude<Sent, "conflict">, place: string): Failure {
  if ("unclear" in sent) return sent.unclear;
  return new Failure(
    "state-not-writable",
    `The state cannot be kept in "${place}": the store ignores ${header}, so two runs could overwrite each other's state.`,
    "Use a store with conditional writes (If-None-Match and If-Match for PUT), such as Amazon S3, or another place:\n  lintel help state",
  );
}

type Condition = Readonly<Record<string, string>>;

function conditionFor(version: Version | undefined): Condition {
  return version === undefined ? { "if-none-match": "*" } : { "if-match": version };
}

function refused(
  { status, text }: Answer,
  place: string,
  method: "GET" | "PUT",
  secrets: readonly Secret[],
): Failure {
  const [code, message] = [wordIn(text, "Code"), wordIn(text, "Message")];
  const said = showForeign([code, message].filter(Boolean).join(": "), secrets, 300);
  const isKey = /^(RequestTimeTooSkewed|ExpiredToken|Invalid(AccessKeyId|Token)|Signature)/;
  const cause: Cause | undefined =
    code === "NoSuchBucket"
      ? "not-found"
      : status === 403 || isKey.test(code)
        ? "not-allowed"
        : undefined;
  const why = `the store answers ${status}${said ? `, "${said}"` : ""}`;
  const doing = method === "GET" ? "read" : "written";
  return refusedAt("s3", visible(place), doing, { why, cause });
}

/** With versioning, an older object can be copied over the newest. */
function recoveryOf(object: {
  readonly bucket: string;
  readonly key: string;
  readonly endpoint?: string | undefined;
}): string {
  const { bucket, key, endpoint } = object;
  const aws = endpoint === undefined ? "aws" : `aws --endpoint-url ${shellWord(endpoint)}`;
  const named = `--bucket ${shellWord(bucket)} --key ${shellWord(key)}`;
  return `If the bucket has versioning, copy the newest complete version over this one. Otherwise restore a backup:\n  ${aws} s3api list-object-versions --bucket ${shellWord(bucket)} --prefix ${shellWord(key)}\n  ${aws} s3api copy-object ${named} --copy-source ${shellWord(`${bucket}/${key}?versionId=`)}VERSION`;
}

function noRegion(address: string): Failure {
  return new Failure(
    "bad-state-address",
    `The address of the state "${address.replace(/\?.*/s, "")}" does not contain the region of its bucket.`,
    "Add it to the address, or set AWS_REGION:\n  state: s3://BUCKET/PREFIX?region=eu-central-1",
  );
}
