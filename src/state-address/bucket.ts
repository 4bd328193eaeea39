// s3://BUCKET/FOLDER?region=…&endpoint=…&path-style=… → a bucket, and where its objects stand.
import type { Io } from "../io.js";
import type { KindOfPlace } from "./kind.js";
import { serverAt } from "./server.js";

/** What the address of a bucket may say besides. */
const WORD = "(endpoint|region|path-style)=[^&#\\s]*";

export const buckets = {
  schemes: ["s3"],
  example: "s3://bucket/lintel?region=eu-central-1",
  noun: "S3 buckets",
  reason: "a bucket of Amazon S3, or of a store like it",
  pattern: `s3://([a-z0-9.-]|\\$\\{[^}]*\\})+(/[^?#\\s]*)?(\\?${WORD}(&${WORD})*)?$`,
  isFit: (address) => bucketAt(address, {}) !== undefined,
  recipientOf: (address, env) => bucketAt(address, env)?.root,
} as const satisfies KindOfPlace;

export interface Bucket {
  readonly bucket: string;
  /** Between slashes; none for the whole bucket. */
  readonly folders: readonly string[];
  readonly region: string | undefined;
  /** What the bucket's objects stand below; undefined where nobody says which region it is in. */
  readonly root: URL | undefined;
}

/** The region is that of the address, else of the variables. A store of one's own is called by path, unless it says otherwise. */
export function bucketAt(address: string, env: Io["env"]): Bucket | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const bucket = url?.hostname ?? "";
  if (!url || url.username || url.password || url.port || url.hash) return undefined;
  const { searchParams: words } = url;
  if ([...words.keys()].some((key) => !/^(endpoint|region|path-style)$/.test(key)))
    return undefined;
  const [endpoint, style] = [words.get("endpoint"), words.get("path-style")];
  const folders = url.pathname.split("/").filter(Boolean);
  const isPath =
    style === "true" || (style === null && (endpoint !== null || bucket.includes(".")));
  const isPlain =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) &&
    !/%|\/\.{1,2}(?=[/?]|$)/.test(address.replace(/\?.*/s, ""));
  const given = words.get("region") ?? env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"];
  const region = given || (endpoint === null ? undefined : "us-east-1");
  if (!isPlain || !/^(true|false)$/.test(style ?? "true")) return undefined;
  if (region === undefined) return { bucket, folders, region, root: undefined };
  if (!/^[a-z0-9-]+$/.test(region)) return undefined;
  const amazon = `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}/`;
  const root = serverAt(`${(endpoint ?? amazon).replace(/\/*$/, "/")}${isPath ? bucket : "-"}/`);
  if (!root || !/^https?:$/.test(root.protocol) || root.search) return undefined;
  if (!isPath) {
    root.hostname = `${bucket}.${root.hostname}`;
    root.pathname = root.pathname.slice(0, -"-/".length);
  }
  return { bucket, folders, region, root };
}
