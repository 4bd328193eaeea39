// A holder ↔ the lock's facts as Terraform and OpenTofu write and show them.
import { isJsonObject, parseJson } from "../../lib/json.js";
import { unlessEcho } from "../../lib/text.js";
import { UNKNOWN, type Holder } from "../store.js";
import type { Server } from "./server.js";

/** All keys are there, because GitLab asks for each. */
export interface LockInfo {
  readonly ID: string;
  readonly Operation: string;
  readonly Info: string;
  readonly Who: string;
  readonly Version: string;
  readonly Created: string;
  readonly Path: string;
}

const VERSION = "Lintel";

/** What Terraform shows of a lock to those who wait for it. */
export function printLockInfo({ id, who, host, run, since, pid }: Holder, path = ""): string {
  const info: LockInfo = {
    ID: id,
    Operation: run,
    Info: `process ${pid}`,
    Who: `${who}@${host}`,
    Version: VERSION,
    Created: since,
    Path: path,
  };
  return JSON.stringify(info);
}

/**
 * Undefined for an answer that tells of no lock. GitLab repeats what the asker said of operation, info, version and
 * path, and tells the account in place of "who": of the holder that is the id, the account and the time. What a server
 * repeats of the credentials is withheld before anything is taken apart.
 */
export function parseLockInfo(
  text: string,
  { dialect, secrets }: Pick<Server, "dialect" | "secrets">,
): Holder | undefined {
  const json = parseJson(text);
  if (!isJsonObject(json)) return undefined;
  const word = (key: keyof LockInfo) => {
    const value = json[key];
    if (typeof value !== "string" || value === "") return undefined;
    return key === "ID" ? value : unlessEcho(value, secrets);
  };
  const id = word("ID");
  if (id === undefined) return undefined;
  const who = word("Who") ?? UNKNOWN;
  const since = word("Created") ?? UNKNOWN;
  const nameless = { id, since, run: UNKNOWN, host: UNKNOWN, pid: 0 };
  if (dialect === "gitlab") return { ...nameless, who };
  const at = who.lastIndexOf("@");
  const named = at > 0 ? { who: who.slice(0, at), host: who.slice(at + 1) } : { who };
  const operation = word("Operation") ?? UNKNOWN;
  const version = word("Version");
  if (version !== VERSION) {
    const run = `Terraform or OpenTofu${version ? ` ${version}` : ""}, ${operation}`;
    return { ...nameless, ...named, run };
  }
  const [, pid = "0"] = /^process (\d{1,10})$/.exec(word("Info") ?? "") ?? [];
  return { ...nameless, ...named, run: operation, pid: Number(pid) };
}
