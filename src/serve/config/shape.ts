// Checks the shape of lintel.yaml: keys, types and values, each error with a correction.
import { configSchema } from "./schema.js";
import { eachOnce, mistakeOf, type Diagnostic } from "../../diagnostic.js";
import { compileSchema, type SchemaError, type Validator } from "../../document/check/compile.js";
import { emptyValues, schemaProblems, type FileKind } from "../../document/check/explain.js";
import {
  childOf,
  diagnose,
  entryAt,
  shapeOf,
  textOf,
  type Node,
} from "../../document/read/tree.js";
import { DAY_MS, spanMs } from "../../moment.js";

let validator: Validator | undefined;

export function wrongShape(root: Node): Diagnostic[] {
  validator ??= compileSchema(configSchema());
  const found = schemaProblems(root, validator, CONFIG).map(({ diagnostic }) => diagnostic);
  return eachOnce([...emptyValues(root), ...found, ...wrongSpan(root)], mistakeOf);
}

const EVERY = "Write seconds, minutes, hours or days, such as:\n  every: 15m";

/** The limits of the interval between checks of a portal. */
const [LEAST_MS, MOST_MS] = [10_000, 7 * DAY_MS];

function wrongSpan(root: Node): Diagnostic[] {
  const node = childOf(root, "every");
  const ms = spanMs(textOf(node) ?? "");
  if (!node || Number.isNaN(ms) || (ms >= LEAST_MS && ms <= MOST_MS)) return [];
  const message = '"every" must be from 10s to 7d.';
  return [diagnose("wrong-format", node, message, EVERY)];
}

function explain(root: Node, error: SchemaError): readonly Diagnostic[] | undefined {
  const { path, keyword, params } = error;
  const [part, , field] = path;
  switch (keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      const option = path.length === 0 && Object.hasOwn(ELSEWHERE, key) && ELSEWHERE[key];
      if (!option) return undefined;
      const at = entryAt(root, [key])?.key ?? root;
      const message = `"${key}" cannot be in this file: it is set where the run starts, never in a file under review.`;
      return [diagnose("unknown-key", at, message, `Set it there:\n  lintel serve ${option}`)];
    }
    case "propertyNames": {
      const name = String(params["propertyName"]);
      const at = entryAt(root, [...path, name])?.key ?? root;
      return [diagnose("wrong-format", at, `"${name}" is not a name for a pool.`, POOLS)];
    }
    case "pattern":
      // "propertyNames" reports names of pools, and webhooks.ts reports references and secrets.
      return part === "pools" || field === "url" || field === "secret" ? [] : undefined;
    default:
      return undefined;
  }
}

const POOLS =
  'Write small letters, digits and dashes for a pool, and patterns of portals\' names:\n  pools:\n    north: ["north-*"]';
const ROLES =
  'Write groups, and patterns of portals\' names for operators:\n  roles:\n    viewers: [gis-staff]\n    operators:\n      north-team: ["north-*"]';
const NOTIFY =
  "Write a list of webhooks, such as:\n  notify:\n    - name: operators\n      url: https://hooks.example.org/lintel";

const CONFIG: FileKind = {
  explain,
  formAt: (path) => {
    switch (shapeOf(path)) {
      case "every":
        return { must: "be from 10s to 7d", help: EVERY };
      case "concurrency":
        return {
          must: "be a whole number from 1 to 256",
          help: "Write for example:\n  concurrency: 8",
        };
      case "files":
        return {
          must: "name at least one file or folder",
          help: "Write a list, such as:\n  files: [portals]",
        };
      case "pools":
        return { must: "map names to patterns", help: POOLS };
      case "repository":
        return {
          must: "be the web address of a repository, without a user name",
          help: "Write for example:\n  repository: https://git.example.com/gis/portals",
        };
      case "roles":
      case "roles.viewers":
      case "roles.operators":
        return { must: "name groups", help: ROLES };
      case "notify":
        return { must: "be a list of at most 20 webhooks", help: NOTIFY };
      case "notify.name":
        return {
          must: "contain only lower-case letters, digits and dashes",
          help: "Write for example:\n  name: operators",
        };
      default:
        return undefined;
    }
  },
  missing: {
    "notify.name": "Add a name for messages:\n  name: operators",
    "notify.url": "Add the address for events:\n  url: https://hooks.example.org/lintel",
  },
  isSecret: ([, , field]) => field === "url" || field === "secret",
  see: "See the keys of this file:\n  lintel help serve",
};

/** What no file under review may set, and the option for it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  apply: "--apply schedule",
  allow: "--apply schedule",
  port: "--port 8080",
  host: "--host 0.0.0.0",
  listen: "--port 8080",
  "public-url": "--public-url https://lintel.example.com",
  "tls-cert": "--tls-cert page.crt",
  "tls-key": "--tls-key page.key",
  "behind-tls": "--behind-tls",
  "auth-proxy": "--auth-proxy",
  "allow-actions": "--allow-actions refresh",
  queue: "--queue postgres://db.example.com/lintel",
  data: "--data DIR",
  pull: "--pull",
  policy: "--policy DIR",
};
