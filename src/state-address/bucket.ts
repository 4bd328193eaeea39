// Reads the address of a bucket for states: s3://BUCKET/FOLDER?region=…&endpoint=…&path-style=….
import type { Io } from "../io.js";
import { isSecure } from "../hosts.js";
import { shortened } from "../lib/text.js";
import { isWrong, wordsIn, wrongOf, type KindOfPlace, type Wrong } from "./kind.js";
import { serverUrl } from "./server.js";

/** The parameters of a bucket's address. */
const WORD = "(endpoint|region|path-style)=[^&#\\s]*";

export const buckets = {
  schemes: ["s3"],
  example: "s3://bucket/lintel?region=eu-central-1",
  noun: "S3 buckets",
  reason: "a bucket on Amazon S3 or a compatible store",
  pattern: `s3://([a-z0-9.-]|\\$\\{[^}]*\\})+(/[^?#\\s]*)?(\\?${WORD}(&${WORD})*)?$`,
  wrongIn: (address) => wrongOf(bucketAt(address, {})),
  recipientOf: (address, env) => {
    const found = bucketAt(address, env);
    return isWrong(found) ? undefined : found.root;
  },
} as const satisfies KindOfPlace;

export interface Bucket {
  readonly bucket: string;
  /** The parts of the folder's path; empty for the whole bucket. */
  readonly folders: readonly string[];
  readonly region: string | undefined;
  /** The address of a store other than Amazon's. */
  readonly endpoint: string | undefined;
  /** The URL of the bucket; undefined without a region. */
  readonly root: URL | undefined;
}

/** The region is from the address, else from variables. A self-hosted store uses path-style addresses unless path-style=false. */
export function bucketAt(address: string, env: Io["env"]): Bucket | Wrong {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^s3:\/\//i.test(address)) return wrong("is no address of a bucket");
  if (url.username || url.password) {
    return {
      why: "holds keys or a user name",
      help: "Take what stands before the @ out. Keys belong into variables:\n  export AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=…",
    };
  }
  if (url.port) return wrong("names a port, which belongs to an endpoint", ENDPOINT);
  if (url.hash) return wrong('goes on with "#", which is part of no bucket');
  const { hostname: bucket } = url;
  const odd = whyNoBucket(bucket);
  if (odd !== undefined) return wrong(odd);
  if (/%|\/\.{1,2}(?=[/?]|$)/.test(address.replace(/\?.*/s, ""))) {
    return wrong('names a folder with a "%", "." or ".." in place of a name');
  }
  const words = wordsIn(url, WORDS, buckets.example);
  if (isWrong(words)) return words;
  const [endpoint, style] = [words.get("endpoint"), words.get("path-style")];
  if (!/^(true|false)$/.test(style ?? "true")) {
    return wrong('says a "path-style" that is neither true nor false', ENDPOINT);
  }
  const folders = url.pathname.split("/").filter(Boolean);
  const given = words.get("region") ?? env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"];
  const region = given || (endpoint === undefined ? undefined : "us-east-1");
  if (region === undefined) return { bucket, folders, region, endpoint, root: undefined };
  if (!/^[a-z0-9-]+$/.test(region)) {
    const isShouted = /^[a-z0-9-]+$/i.test(region);
    return wrong(
      isShouted ? "names a region in capital letters, where small ones belong" : "names no region",
    );
  }
  const isPath =
    style === "true" || (style === undefined && (endpoint !== undefined || bucket.includes(".")));
  const store = URL.canParse(endpoint ?? "") ? new URL(endpoint ?? "") : undefined;
  if (store?.protocol === "http:" && !isSecure(store)) {
    return wrong("names an endpoint without https, and keys go to no other machine so", ENDPOINT);
  }
  const root = rootOf({ bucket, region, endpoint, isPath });
  return root
    ? { bucket, folders, region, endpoint, root }
    : wrong("names an endpoint that is no address of a server", ENDPOINT);
}

const WORDS = ["endpoint", "region", "path-style"];
const ENDPOINT = "s3://bucket/lintel?endpoint=https://s3.example.com:9000";

function wrong(why: string, example: string = buckets.example): Wrong {
  return { why, help: `Write it as:\n  state: ${example}` };
}

/** Checks a bucket's name by the rules of Amazon and others. */
function whyNoBucket(bucket: string): string | undefined {
  if (bucket === "") return "names no bucket";
  const named = `names the bucket ${JSON.stringify(shortened(bucket, 70))}, and a bucket's name`;
  if (bucket.length < 3) return `${named} has three letters at least`;
  if (bucket.length > 63) return `${named} has 63 letters at most`;
  if (/[^a-z0-9.-]/.test(bucket)) return `${named} holds a to z, digits, dots and dashes alone`;
  return /^[.-]|[.-]$/.test(bucket) ? `${named} begins and ends with a letter or digit` : undefined;
}

interface Rooted {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  /** The bucket's name is part of the path, not of the host. */
  readonly isPath: boolean;
}

function rootOf({ bucket, region, endpoint, isPath }: Rooted): URL | undefined {
  const amazon = `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}/`;
  const root = serverUrl(`${(endpoint ?? amazon).replace(/\/*$/, "/")}${isPath ? bucket : "-"}/`);
  if (!root || root.search) return undefined;
  if (!isPath) {
    root.hostname = `${bucket}.${root.hostname}`;
    root.pathname = root.pathname.slice(0, -"-/".length);
  }
  return root;
}
