// A store of objects with the parts of S3 that states need: signatures, and conditions that it can ignore.
import { createHash, createHmac } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Received } from "../support/network.js";
import { startRudeServer, type Misbehaving } from "./rude-server.js";

export interface S3ServerOptions {
  /** The conditions that it does not look at. */
  readonly ignores?: readonly ("if-none-match" | "if-match")[];
  /** Compares etags without the quotation marks that it sends. */
  readonly isBare?: boolean;
  /** So many names in one answer. */
  readonly page?: number;
  /** How far its clock is ahead. */
  readonly aheadMs?: number;
  readonly fault?: Misbehaving;
}

export const BUCKET = "states";
export const REGION = "eu-central-1";
export const KEYS = {
  AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
  AWS_SECRET_ACCESS_KEY: "hidden/secret+key/of+the+tests",
  AWS_SESSION_TOKEN: "hidden-session-token",
};
const SKEW_MS = 15 * 60_000;

export async function startS3Server(options: S3ServerOptions = {}) {
  const objects = new Map<string, string | Buffer>();
  const server = await startRudeServer((request) => {
    const reply = replyTo(request, objects, options);
    return (response) => send(response, reply);
  }, options.fault);
  return {
    ...server,
    address: `s3://${BUCKET}/gis/lintel?endpoint=${server.url}&region=${REGION}`,
    /** By the path of the object below the bucket. */
    objects,
  };
}

interface Reply {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly etag?: string;
}

function send(response: ServerResponse, { status, body = "", etag }: Reply): void {
  response.writeHead(status, etag ? { etag } : {}).end(body);
}

function replyTo(
  request: Received,
  objects: Map<string, string | Buffer>,
  { ignores = [], isBare = false, page = 1000, aheadMs }: S3ServerOptions,
): Reply {
  const { method, path, headers, body } = request;
  const why = whyNotSigned(request, aheadMs);
  if (why !== undefined) return failed(403, why, aheadMs);
  if (!path.startsWith(`/${BUCKET}/`)) return failed(404, "NoSuchBucket");
  const [bare = "", query = ""] = path.split("?");
  if (method === "GET" && bare === `/${BUCKET}/`) {
    return listed(objects, new URLSearchParams(query), page);
  }
  const name = decodeURIComponent(bare.slice(BUCKET.length + 2));
  const stored = objects.get(name);
  const etag = stored === undefined ? undefined : etagOf(stored);
  if (method === "GET") {
    if (stored === undefined || etag === undefined) return failed(404, "NoSuchKey");
    const [, last] = /^bytes=0-(\d+)$/.exec(headers.range ?? "") ?? [];
    if (last === undefined) return { status: 200, body: stored, etag };
    return { status: 206, body: Buffer.from(stored).subarray(0, Number(last) + 1), etag };
  }
  if (method !== "PUT") return failed(405, "MethodNotAllowed");
  const isNew = headers["if-none-match"] === "*" && !ignores.includes("if-none-match");
  if (isNew && etag !== undefined) return failed(412, "PreconditionFailed");
  const wanted = ignores.includes("if-match") ? undefined : headers["if-match"];
  if (wanted !== undefined) {
    if (etag === undefined) return failed(404, "NoSuchKey");
    if (wanted !== (isBare ? etag.slice(1, -1) : etag)) return failed(412, "PreconditionFailed");
  }
  objects.set(name, body);
  return { status: 200, etag: etagOf(body) };
}

/** What is in folders below is told as these alone. */
function listed(
  objects: ReadonlyMap<string, string | Buffer>,
  query: URLSearchParams,
  page: number,
): Reply {
  const [prefix, delimiter] = [query.get("prefix") ?? "", query.get("delimiter") ?? ""];
  const from = query.get("continuation-token") ?? "";
  const all = [...objects.keys()]
    .filter((name) => name.startsWith(prefix) && name > from)
    .filter((name) => delimiter === "" || !name.slice(prefix.length).includes(delimiter))
    .toSorted();
  const told = all.slice(0, page);
  const keys = told.map((name) => `<Contents><Key>${encodeURIComponent(name)}</Key></Contents>`);
  const next =
    all.length > page ? `<NextContinuationToken>${told.at(-1)}</NextContinuationToken>` : "";
  const body = `<?xml version="1.0"?><ListBucketResult><Prefix>${prefix}</Prefix>${keys.join("")}${next}</ListBucketResult>`;
  return { status: 200, body };
}

function failed(status: number, code: string, aheadMs = 0): Reply {
  const time = new Date(Date.now() + aheadMs).toISOString();
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>It is so.</Message><ServerTime>${time}</ServerTime></Error>`;
  return { status, body };
}

function etagOf(body: string | Buffer): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}

/** The code of what is wrong with a signature, worked out from what came over the wire. */
function whyNotSigned(
  { method, path, headers, body }: Received,
  aheadMs: number | undefined,
): string | undefined {
  const [, id, scope = "", names = "", given] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+),SignedHeaders=([\w;-]+),Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  if (given === undefined) return "AccessDenied";
  if (id !== KEYS.AWS_ACCESS_KEY_ID) return "InvalidAccessKeyId";
  if (headers["x-amz-security-token"] !== KEYS.AWS_SESSION_TOKEN) return "InvalidToken";
  const moment = String(headers["x-amz-date"]);
  const [day = "", region, service, end] = scope.split("/");
  const iso = moment.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, "$1-$2-$3:$4:$5");
  const apartMs = Math.abs(Date.parse(iso) - Date.now() - (aheadMs ?? 0));
  if (aheadMs !== undefined && apartMs > SKEW_MS) return "RequestTimeTooSkewed";
  const isScope = region === REGION && service === "s3" && end === "aws4_request";
  if (!isScope || !moment.startsWith(day)) return "AuthorizationHeaderMalformed";
  const hash = sha256(body);
  const listed = names.split(";");
  const must = ["host", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token"];
  const conditions = ["if-match", "if-none-match"].filter((name) => headers[name] !== undefined);
  if ([...must, ...conditions].some((name) => !listed.includes(name))) return "AccessDenied";
  if (headers["x-amz-content-sha256"] !== hash) return "XAmzContentSHA256Mismatch";
  const [bare = "", query = ""] = path.split("?");
  const lines = listed.map((name) => `${name}:${String(headers[name])}\n`).join("");
  // In the order of their names, however they came.
  const sorted = query.split("&").toSorted().join("&");
  const canonical = `${method}\n${bare}\n${sorted}\n${lines}\n${names}\n${hash}`;
  const text = `AWS4-HMAC-SHA256\n${moment}\n${scope}\n${sha256(canonical)}`;
  let key: Buffer | string = `AWS4${KEYS.AWS_SECRET_ACCESS_KEY}`;
  for (const part of [day, REGION, "s3", "aws4_request", text]) {
    key = createHmac("sha256", key).update(part).digest();
  }
  return (key as Buffer).toString("hex") === given ? undefined : "SignatureDoesNotMatch";
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
