// A bucket → its objects, read and written under conditions; what it refuses becomes a failure with what to do.
import type { Http } from "../../http/http.js";
import type { Answer, Request } from "../../request.js";
import { secret, type Secret } from "../../secret.js";
import { bucketAt } from "../../state-address/bucket.js";
import { LARGEST_STATE } from "../format.js";
import { fitOf } from "../refusal.js";
import type { Place } from "../store.js";
import { keysOf } from "./credentials.js";
import { noRegion, refused } from "./refusal.js";
import { encodePart, signed, type Keys } from "./sign.js";

export interface Stored {
  readonly text: string;
  /** What a condition names it by. */
  readonly etag: string;
  readonly strayByteAt?: number | undefined;
}

/** "new" where nothing may stand there yet; else what must stand there, by its etag. */
export type Condition = "new" | { readonly etag: string };

export interface Objects {
  /** For messages. */
  placeOf(name: string): string;
  /** Undefined where there is none. Under a lock it goes on after an interrupt, unless it says otherwise. */
  get(name: string, end?: "at-interrupt"): Promise<Stored | undefined>;
  /** The new etag; undefined where the condition does not hold, as after a write of one's own whose answer was lost. */
  put(name: string, text: string, condition: Condition): Promise<string | undefined>;
}

interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly end?: "at-interrupt" | undefined;
}

const TERMS = { answerLimit: LARGEST_STATE } as const;
/** The condition does not hold; somebody else writes at the same moment; what should stand there is gone. */
const UNMET = [412, 409, 404];

export function openObjects({ io, http: door, address, written }: Place): Objects {
  const found = fitOf(bucketAt(address, io.env), { address, written });
  const { bucket, folders, region, root } = found;
  if (!root || region === undefined) throw noRegion(written ?? address);
  const path = [...folders, ""].map((each) => encodePart(each)).join("/");
  const http: Http = door.with(TERMS);
  const placeOf = (name: string) =>
    `${written ?? `s3://${[bucket, ...folders].join("/")}`}/${name}`;
  let keys: Keys | undefined;

  async function send(
    method: "GET" | "PUT",
    name: string,
    { headers = {}, text, end }: Sending = {},
  ): Promise<Answer> {
    const target = new URL(path + encodePart(name), root);
    keys ??= keysOf(io);
    const given = { method, address: target, headers, body: text ?? "", region, keys };
    const { authorization = "", ...rest } = signed({
      ...given,
      region: region ?? "",
      nowMs: io.now(),
    });
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
  }

  const about = () => ({ bucket, io, secrets: keys ? secretsOf(keys) : [] });
  return {
    placeOf,
    async get(name, end) {
      const answer = await send("GET", name, { end });
      const { status, text, headers, strayByteAt } = answer;
      if (status === 200) return { text, etag: headers["etag"] ?? "", strayByteAt };
      if (status === 404 && !text.includes("<Code>NoSuchBucket</Code>")) return undefined;
      throw refused(answer, { place: placeOf(name), doing: "read", ...about() });
    },

    async put(name, text, condition) {
      const conditional = (etag: string) =>
        etag === "" ? { "if-none-match": "*" } : { "if-match": etag };
      const etag = condition === "new" ? "" : condition.etag;
      let answer = await send("PUT", name, { text, headers: conditional(etag) });
      // Some stores compare without the quotation marks that they send.
      if (answer.status === 412 && /^".*"$/.test(etag)) {
        const bare = conditional(etag.slice(1, -1));
        if ((await etagOf(name)) === etag)
          answer = await send("PUT", name, { text, headers: bare });
      }
      const { status, headers, text: said } = answer;
      if (status === 200) return headers["etag"] ?? "";
      if (UNMET.includes(status) && !said.includes("<Code>NoSuchBucket</Code>")) return undefined;
      throw refused(answer, { place: placeOf(name), doing: "write", ...about() });
    },
  };

  async function etagOf(name: string): Promise<string | undefined> {
    const answer = await send("GET", name);
    return answer.status === 200 ? answer.headers["etag"] : undefined;
  }
}

function secretsOf({ key, session }: Keys): readonly Secret[] {
  return session ? [key, session] : [key];
}
