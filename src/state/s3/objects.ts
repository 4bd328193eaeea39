// A bucket → its objects, read and written under conditions, and those that it has; what it refuses becomes a failure with what to do.
import { CallFailure } from "../../http/http.js";
import type { Calls } from "./calls.js";

export interface Stored {
  readonly text: string;
  /** What a condition names it by. */
  readonly etag: string;
  readonly strayByteAt?: number | undefined;
}

/** "new" where nothing may stand there yet; else what must stand there, by its etag. */
export type Condition = "new" | { readonly etag: string };

export interface Objects extends Pick<Calls, "placeOf" | "originOf" | "secrets"> {
  /** Undefined where there is none. Under a lock it goes on after an interrupt, unless it says otherwise. */
  get(name: string, end?: "at-interrupt"): Promise<Stored | undefined>;
  /** Of all objects, but for those in folders below. */
  names(): Promise<readonly string[]>;
  /** The new etag; undefined where the condition does not hold, as after a write of one's own whose answer was lost. */
  put(name: string, text: string, condition: Condition): Promise<string | undefined>;
}

/** The condition does not hold; somebody else writes at the same moment; what should stand there is gone. */
const UNMET = [412, 409, 404];
/** The store knows no such condition. */
const UNABLE = 501;

export function openObjects(calls: Calls): Objects {
  const { placeOf, originOf, secrets, send, refusalOf } = calls;
  const isGone = (status: number, said: string) =>
    status === 404 && !said.includes("<Code>NoSuchBucket</Code>");

  async function etagOf(name: string): Promise<string | undefined> {
    const answer = await send("GET", name);
    return answer.status === 200 ? answer.headers["etag"] : undefined;
  }

  return {
    placeOf,
    originOf,
    secrets,
    async get(name, end) {
      const answer = await send("GET", name, { end });
      const { status, text, headers, strayByteAt } = answer;
      if (status === 200) return { text, etag: headers["etag"] ?? "", strayByteAt };
      if (isGone(status, text)) return undefined;
      throw refusalOf(answer, name, "read");
    },

    names: () => namesIn(calls),

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
      const failure = refusalOf(answer, name, "write");
      if (status < 500 || status === UNABLE) throw failure;
      // It may have been written all the same: as good as no answer.
      const { code, message, help = "" } = failure;
      throw new CallFailure(code, message, help, { sent: true });
    },
  };
}

/** A thousand at a time, as stores tell them. */
async function namesIn({ prefix, send, refusalOf }: Calls): Promise<readonly string[]> {
  const names: string[] = [];
  let next: string | undefined;
  do {
    const query = {
      "list-type": "2",
      "encoding-type": "url",
      delimiter: "/",
      prefix,
      ...(next !== undefined && { "continuation-token": next }),
    };
    const answer = await send("GET", undefined, { query, end: "at-interrupt" });
    if (answer.status !== 200) throw refusalOf(answer, "", "read");
    for (const [, key = ""] of answer.text.matchAll(/<Key>([^<]*)<\/Key>/g)) {
      names.push(decoded(key).slice(prefix.length));
    }
    const [, more] =
      /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(answer.text) ?? [];
    next = more?.replaceAll("&amp;", "&");
  } while (next !== undefined);
  return names;
}

/** In the way of forms, and of no name that is ours where it cannot be decoded. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll("+", " "));
  } catch {
    return "";
  }
}
