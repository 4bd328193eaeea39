// The tree of lintel.yaml → what is wrong with its shape: keys, types and values, each with what would be right.
import { configSchema } from "./schema.js";
import { didYouBegin, didYouMean, eachOnce, mistakeOf, type Diagnostic } from "../../diagnostic.js";
import { openCompiler, type Check, type Fault } from "../../document/check/compile.js";
import {
  childOf,
  diagnose,
  entryAt,
  nodeAt,
  textOf,
  toJson,
  unvaluedIn,
  type Node,
} from "../../document/read/tree.js";
import { DAY_MS, spanMs } from "../../moment.js";
import { isJsonObject, pointInto } from "../../lib/json.js";
import { formatPath, type Path } from "../../settings.js";

let check: Check | undefined;

export function wrongShape(root: Node): Diagnostic[] {
  const empty = unvaluedIn(root)
    .filter(({ node }) => !(node.kind === "mark" && node.mark === "unknown"))
    .map(({ node, path }) => {
      const message = `"${formatPath(path)}" has no value.`;
      return diagnose("null-value", node, message, "Write a value, or remove the line.");
    });
  const faults = (check ??= openCompiler()(configSchema()))(toJson(root) ?? null);
  const found = faults.flatMap((fault) => explain(root, fault) ?? []);
  return eachOnce([...empty, ...found, ...wrongSpan(root)], mistakeOf);
}

/** How often each portal may be looked at. */
const [LEAST_MS, MOST_MS] = [10_000, 7 * DAY_MS];

function wrongSpan(root: Node): Diagnostic[] {
  const node = childOf(root, "every");
  const ms = spanMs(textOf(node) ?? "");
  if (!node || Number.isNaN(ms) || (ms >= LEAST_MS && ms <= MOST_MS)) return [];
  const message = '"every" must be from 10s to 7d.';
  return [diagnose("wrong-format", node, message, helpAt(["every"]))];
}

const SEE = "See what this file holds:\n  lintel help serve";

function explain(root: Node, { path, keyword, params, message }: Fault): Diagnostic | undefined {
  const node = nodeAt(root, path);
  const inside = path.length > 0 ? ` in "${formatPath(path)}"` : "";
  const name = path.length > 0 ? `"${formatPath(path)}"` : "The file";
  switch (keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      const at = entryAt(root, [...path, key])?.key ?? root;
      const elsewhere = path.length === 0 ? belongs(key) : undefined;
      if (elsewhere) return diagnose("unknown-key", at, ...elsewhere);
      const known = keysAt(path);
      const help = didYouMean(key, known) ?? `Known here: ${known.join(", ")}.`;
      return diagnose("unknown-key", at, `The key "${key}" is not known${inside}.`, help);
    }
    case "required": {
      const key = String(params["missingProperty"]);
      // It is there without a value, as was told.
      if (childOf(node, key)) return undefined;
      const help = MISSING[key] ?? `Add it:\n  ${key}: …`;
      return diagnose("missing-key", node ?? root, `The key "${key}" is missing${inside}.`, help);
    }
    case "enum": {
      const values = (params["allowedValues"] as readonly unknown[]).map(String);
      const given = textOf(node) ?? "";
      const list = `Allowed: ${values.join(", ")}.`;
      const hint = didYouBegin(given, values);
      const text = `"${given}" is not a value of ${name}.`;
      return diagnose("unknown-value", node ?? root, text, hint ? `${hint} ${list}` : list);
    }
    // Said of a name of a pool, at the mapping and at the name.
    case "propertyNames":
      return undefined;
    default: {
      // Of references and secrets, webhooks.ts says more.
      const isReference = path[0] === "notify" && /^(?:url|secret)$/.test(String(path[2]));
      if (keyword === "pattern" && isReference) return undefined;
      // A null and a mark have been told of.
      if (node?.kind === "mark") return undefined;
      const isType = keyword === "type" || keyword === "anyOf";
      const poolName = poolIn(path, keyword, node);
      const what =
        poolName === undefined
          ? `${name} ${plainly(message)}.`
          : `"${poolName}" is no name of a pool.`;
      return diagnose(isType ? "wrong-type" : "wrong-format", node ?? root, what, helpAt(path));
    }
  }
}

/** The engine says what is wrong with a name of a mapping at the mapping. */
function poolIn(path: Path, keyword: string, node: Node | undefined): string | undefined {
  if (path.join() !== "pools" || keyword !== "pattern" || node?.kind !== "mapping")
    return undefined;
  return [...node.entries.keys()].find((each) => !/^[a-z][a-z0-9-]{0,39}$/.test(each));
}

function keysAt(path: Path): readonly string[] {
  const at = path.flatMap((part) => (typeof part === "number" ? ["items"] : ["properties", part]));
  const found = pointInto(configSchema(), [...at, "properties"]);
  return isJsonObject(found) ? Object.keys(found) : [];
}

function plainly(message: string): string {
  return message
    .replace("must be object", "must be a mapping of keys to values")
    .replace(/^must be string or must .*/, "must name one file or folder at least")
    .replace("must be array", "must be a list")
    .replace("must be string", "must be text")
    .replace("must be integer", "must be a whole number")
    .replace("must be >= ", "must be at least ")
    .replace("must be <= ", "must be at most ")
    .replace("must NOT have fewer than 1 items", "must have one entry at least")
    .replace(/must NOT have more than (\d+) items/, "must have $1 entries at most")
    .replace(/must NOT have duplicate items .*/, "must name each thing once")
    .replace("must NOT have fewer than 1 characters", "must be filled")
    .replace(/must match pattern .*/, "is not of the form that is wanted");
}

function helpAt(path: Path): string {
  const names = path.filter((part) => typeof part === "string").join(".");
  return HELP[names] ?? HELP[String(path[0])] ?? SEE;
}

const HELP: Readonly<Record<string, string>> = {
  every: "Write seconds, minutes, hours or days, such as:\n  every: 15m",
  concurrency: "Write a whole number from 1 to 256, such as:\n  concurrency: 8",
  files: "Write a list, such as:\n  files: [portals]",
  pools:
    'Write small letters, digits and dashes for a pool, and patterns of portals\' names:\n  pools:\n    north: ["north-*"]',
  notify:
    "Write a list of webhooks, such as:\n  notify:\n    - name: operators\n      url: https://hooks.example.org/lintel",
  "notify.name": "Write small letters, digits and dashes, such as:\n  name: operators",
};

const MISSING: Readonly<Record<string, string>> = {
  name: "Add it; messages call the webhook by it:\n  name: operators",
  url: "Add where events are posted:\n  url: https://hooks.example.org/lintel",
};

/** What no file under review may say, and where it is said instead. */
function belongs(key: string): [message: string, help: string] | undefined {
  const place = ELSEWHERE.find(({ keys }) => keys.includes(key));
  if (!place) return undefined;
  const message = `"${key}" cannot stand in this file: ${place.what} is said where the run is started, never by a file under review.`;
  return [message, `Say it there:\n  ${place.instead}`];
}

const ELSEWHERE: readonly {
  readonly keys: readonly string[];
  readonly what: string;
  readonly instead: string;
}[] = [
  {
    keys: ["apply", "send", "allow"],
    what: "what may be carried out",
    instead: "lintel serve --apply schedule",
  },
  {
    keys: [
      "port",
      "host",
      "listen",
      "public-url",
      "publicUrl",
      "tls-cert",
      "tls-key",
      "behind-tls",
      "token",
    ],
    what: "where its page is, and who may see it,",
    instead: "lintel serve --port 8080",
  },
  {
    keys: ["queue"],
    what: "the queue",
    instead: "lintel serve --queue postgres://db.example.com/lintel",
  },
  {
    keys: ["data", "keep"],
    what: "where it keeps what happened",
    instead: "lintel serve --data DIR",
  },
  { keys: ["pull"], what: "whether it fetches", instead: "lintel serve --pull" },
  { keys: ["policy"], what: "which policies judge", instead: "lintel serve --policy DIR" },
];
