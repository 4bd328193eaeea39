// What a bucket refuses → the Failure that says so, and what to do about it.
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import type { Answer } from "../../request.js";
import type { Secret } from "../../secret.js";
import type { OwnOrigin } from "../refusal.js";
import { counted, shellWord, showForeign, visible } from "../../lib/text.js";

interface About {
  readonly place: string;
  readonly doing: "read" | "write";
  readonly bucket: string;
  readonly io: Pick<Io, "now">;
  /** What the store must not repeat. */
  readonly secrets: readonly Secret[];
}

/** Where versions are kept of what the bucket holds, an older one can be copied over the newest. */
export function originOf(
  place: string,
  object: { readonly bucket: string; readonly key: string; readonly endpoint?: string | undefined },
): OwnOrigin {
  const { bucket, key, endpoint } = object;
  const aws = endpoint === undefined ? "aws" : `aws --endpoint-url ${shellWord(endpoint)}`;
  const named = `--bucket ${shellWord(bucket)} --key ${shellWord(key)}`;
  return {
    place,
    recovery: `Where versions are switched on for the bucket, find the newest that is whole, and copy it over the damaged one; else take it from a backup:\n  ${aws} s3api list-object-versions --bucket ${shellWord(bucket)} --prefix ${shellWord(key)}\n  ${aws} s3api copy-object ${named} --copy-source ${shellWord(`${bucket}/${key}?versionId=`)}VERSION`,
  };
}

export function refused(answer: Answer, { place, doing, bucket, io, secrets }: About): Failure {
  const { status, text } = answer;
  const code = doing === "read" ? "state-not-readable" : "state-not-writable";
  const what = `The state "${place}" cannot be ${doing === "read" ? "read" : "written"}: `;
  const fail = (why: string, help: string) => new Failure(code, `${what}${why}.`, help);
  const said = wordIn(text, "Code");
  switch (said) {
    case "RequestTimeTooSkewed":
      return fail(
        `the clock of this machine ${differenceTo(answer, io.now())}, and what it signs is refused`,
        "Set the clock; the store takes no request that is signed more than 15 minutes away from its own.",
      );
    case "NoSuchBucket":
      return fail(
        `there is no bucket "${visible(bucket)}"`,
        "Make it, or correct the address; it must also be in the region that the address or AWS_REGION names.",
      );
    case "SignatureDoesNotMatch":
      return fail(
        "the secret key is not that of the access key",
        "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY again, both of one pair.",
      );
    case "ExpiredToken":
    case "InvalidAccessKeyId":
    case "InvalidToken":
      return fail(
        `its store does not know these keys any more (${said})`,
        "Get new ones, and set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for keys that end, AWS_SESSION_TOKEN.",
      );
    default:
  }
  if (status === 403) {
    return fail(
      "these keys may not do that (403)",
      `Allow s3:GetObject and s3:PutObject below "${visible(place)}", and s3:ListBucket for the bucket: without that an object that is not there looks like one that is forbidden.`,
    );
  }
  if (status === 501) return notConditional(place, "it says so (501)");
  const message = [said, wordIn(text, "Message")].filter(Boolean).join(": ");
  return fail(
    `its store answers ${status}${message ? `, "${showForeign(message, secrets, 200)}"` : ""}`,
    "Check the bucket, the region and the endpoint of the address.",
  );
}

/** Of the XML in which stores say what is wrong. */
function wordIn(text: string, tag: string): string {
  return new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1] ?? "";
}

function differenceTo({ headers, text }: Answer, nowMs: number): string {
  const theirs = Date.parse(wordIn(text, "ServerTime") || headers["date"] || "");
  if (Number.isNaN(theirs)) return "is wrong";
  const minutes = Math.round(Math.abs(nowMs - theirs) / 60_000);
  const isLittle = minutes < 180;
  const apart = counted(
    isLittle ? minutes : Math.round(minutes / 60),
    isLittle ? "minute" : "hour",
  );
  return `is ${apart} ${nowMs < theirs ? "behind" : "ahead of"} that of its store`;
}

export function noRegion(address: string): Failure {
  return new Failure(
    "bad-state-address",
    `Nobody says in which region the bucket of the state "${address.replace(/\?.*/s, "")}" is.`,
    "Write it into the address, or set AWS_REGION:\n  state: s3://BUCKET/PREFIX?region=eu-central-1",
  );
}

/** Two runs could then write at once, and each would believe that it is alone. */
export function notConditional(place: string, how: string): Failure {
  return new Failure(
    "state-not-lockable",
    `The state "${place}" cannot be locked: its store does not keep to the conditions of a write (${how}).`,
    "Use a store that honours If-None-Match and If-Match when it writes, such as Amazon S3 or a newer version of this one, or keep the state elsewhere:\n  lintel help state",
  );
}
