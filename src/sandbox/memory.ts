// What the sandbox remembers: accounts, keys and each portal's settings; in memory, or in a file that survives a restart.
import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { overwriteFile, readFile } from "../lib/files.js";
import { Failure, wrongUsage } from "../failure.js";
import { isJsonObject, parseJson, type JsonObject } from "../lib/json.js";
import type { Role, Switches } from "./options.js";

export interface Account {
  readonly username: string;
  /** Absent for the service account, which signs in with its keys alone. */
  readonly password?: string;
  readonly uid: string;
  readonly fullName: string;
  readonly role: Role;
  readonly isActive: boolean;
}

export interface Remembered {
  readonly format: 1;
  readonly beid: string;
  readonly webServicesKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingKey: string;
  /** Tokens of an earlier generation count as revoked. */
  readonly generation: number;
  /** Single tokens that were revoked, each until it would have ended in seconds; absent before the first. */
  readonly revoked?: Readonly<Record<string, number>>;
  readonly accounts: readonly Account[];
  /** By portal id. */
  readonly portals: Readonly<Record<string, JsonObject>>;
}

/** The service account's name; its keys can be changed, its name cannot. */
export const SERVICE_ACCOUNT = "api-user";

/** The account that a person signs in with first. */
export const ADMINISTRATOR = "admin";

const FILE = "sandbox.json";
const LIMITS = { largest: 64 * 1024 * 1024, links: "followed" } as const;

export function openMemory({ dataDir, role, staleMs, now }: Switches) {
  const found = (dataDir === undefined ? undefined : load(dataDir)) ?? fresh();
  const accounts = found.accounts.map((each) => ({ ...each, ...(role && { role }) }));
  let remembered: Remembered = { ...found, accounts };
  /** What updates replaced and a cache still shows, the oldest first, by portal. */
  const cached = new Map<string, readonly Replaced[]>();
  const stored = (portal: string) => remembered.portals[portal] ?? {};
  const stillCached = (portal: string) =>
    (cached.get(portal) ?? []).filter(({ untilMs }) => untilMs > now());
  const change = (next: Partial<Remembered>) => {
    // Saved first: what could not be kept is not shown either.
    const changed = { ...remembered, ...next };
    if (dataDir !== undefined) write(dataDir, changed);
    remembered = changed;
  };
  const store = (portal: string, settings: JsonObject) =>
    change({ portals: { ...remembered.portals, [portal]: settings } });
  change({});
  return {
    read: () => remembered,
    /** Returns once the file holds it, where the sandbox keeps one. */
    change,
    stored,
    store,
    /** What the settings resource shows. */
    shown: (portal: string): JsonObject => stillCached(portal)[0]?.settings ?? stored(portal),
    update(portal: string, settings: JsonObject): void {
      const before = { untilMs: now() + staleMs, settings: stored(portal) };
      store(portal, settings);
      cached.set(portal, staleMs > 0 ? [...stillCached(portal), before] : []);
    },
  };
}

interface Replaced {
  readonly untilMs: number;
  readonly settings: JsonObject;
}

export type Memory = ReturnType<typeof openMemory>;

function fresh(): Remembered {
  const anAdministrator = () =>
    ({ uid: randomUUID(), role: "administrator", isActive: true }) as const;
  const password = randomBytes(9).toString("base64url");
  return {
    format: 1,
    beid: randomUUID(),
    webServicesKey: randomUUID(),
    clientId: `sandbox-${randomBytes(6).toString("hex")}`,
    clientSecret: randomBytes(16).toString("hex"),
    signingKey: randomBytes(32).toString("base64"),
    generation: 1,
    accounts: [
      { username: SERVICE_ACCOUNT, fullName: "API User", ...anAdministrator() },
      { username: ADMINISTRATOR, password, fullName: "Portal Administrator", ...anAdministrator() },
    ],
    portals: {},
  };
}

function load(dataDir: string): Remembered | undefined {
  const file = join(dataDir, FILE);
  let text;
  try {
    text = readFile(file, LIMITS).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Failure("not-writable", `"${file}" cannot be read.`, undefined, { cause: error });
  }
  const found = parseJson(text);
  if (!isJsonObject(found) || found["format"] !== 1 || !isJsonObject(found["portals"])) {
    throw wrongUsage(
      `"${file}" is not what a sandbox wrote.`,
      "Name another folder, or remove the file to begin afresh.",
    );
  }
  return found as unknown as Remembered;
}

function write(dataDir: string, remembered: Remembered): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    overwriteFile(join(dataDir, FILE), `${JSON.stringify(remembered, undefined, 2)}\n`, {
      mode: 0o600,
    });
  } catch (error) {
    throw new Failure("not-writable", `The folder "${dataDir}" cannot be written.`, undefined, {
      cause: error,
    });
  }
}
