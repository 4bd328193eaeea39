// The address of a bucket → requests to it, each signed; and what messages call its objects.
import type { Failure } from "../../failure.js";
import type { Http } from "../../http/http.js";
import type { Answer, Request } from "../../request.js";
import { secret, type Secret } from "../../secret.js";
import { bucketAt } from "../../state-address/bucket.js";
import { LARGEST_STATE } from "../format.js";
import { fitOf, type OwnOrigin } from "../refusal.js";
import type { Place } from "../store.js";
import { keysOf } from "./credentials.js";
import { noRegion, originOf, refused } from "./refusal.js";
import { encodePart, signed, type Keys } from "./sign.js";

export interface Calls {
  /** Before the names of all objects. */
  readonly prefix: string;
  /** For messages. */
  readonly placeOf: (name: string) => string;
  readonly originOf: (name: string) => OwnOrigin;
  /** Of an object, or of the bucket itself where none is named. */
  readonly send: (
    method: "GET" | "PUT",
    name: string | undefined,
    sending?: Sending,
  ) => Promise<Answer>;
  /** What the store must not repeat; none before the first call. */
  readonly secrets: () => readonly Secret[];
  readonly refusalOf: (answer: Answer, name: string, doing: "read" | "write") => Failure;
}

export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly text?: string;
  /** Under a lock it goes on after an interrupt, unless it says otherwise. */
  readonly end?: "at-interrupt" | undefined;
}

const TERMS = { answerLimit: LARGEST_STATE } as const;

export function openCalls({ io, http: shared, address, written }: Place): Calls {
  const found = fitOf(bucketAt(address, io.env), { address, written });
  const { bucket, folders, region, endpoint, root } = found;
  if (!root || region === undefined) throw noRegion(written ?? address);
  const path = [...folders, ""].map((each) => encodePart(each)).join("/");
  const http: Http = shared.with(TERMS);
  const placeOf = (name: string) =>
    `${written ?? `s3://${[bucket, ...folders].join("/")}`}/${name}`;
  let keys: Keys | undefined;
  return {
    prefix: [...folders, ""].join("/"),
    placeOf,
    originOf: (name) =>
      originOf(
        placeOf(name),
        written === undefined
          ? { bucket, key: [...folders, name].join("/"), endpoint }
          : { bucket: "BUCKET", key: name },
      ),

    async send(method, name, { headers = {}, query = {}, text, end } = {}) {
      const target = new URL(name === undefined ? "" : path + encodePart(name), root);
      target.search = Object.entries(query)
        .map((pair) => pair.map(encodePart).join("="))
        .join("&");
      keys ??= keysOf(io);
      const given = { method, address: target, headers, body: text ?? "", region, keys };
      const { authorization = "", ...rest } = signed({ ...given, nowMs: io.now() });
      const request: Request = {
        method,
        url: target.href,
        ...(written !== undefined && { written }),
        headers: {
          ...rest,
          ...(keys.session && { "x-amz-security-token": keys.session }),
          authorization: secret(authorization),
        },
        ...(text !== undefined && { body: { text, contentType: "application/json" } }),
        secrets: secretsOf(keys),
        // Its condition keeps a write from happening twice.
        repeats: "freely",
        ...(end === undefined && { mustFinish: true }),
      };
      return http.call(request);
    },

    secrets: () => (keys ? secretsOf(keys) : []),
    refusalOf: (answer, name, doing) =>
      refused(answer, {
        place: placeOf(name),
        doing,
        bucket,
        io,
        secrets: keys ? secretsOf(keys) : [],
      }),
  };
}

function secretsOf({ key, session }: Keys): readonly Secret[] {
  return session ? [key, session] : [key];
}
