// What the sandbox remembers: accounts, keys and each portal's settings; in memory, or in a file that survives a restart.
import { randomBytes, randomUUID } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { overwriteFile, readFile } from "../lib/files.js";
import { Failure, wrongUsage } from "../failure.js";
import { isJsonObject, parseJson, type JsonObject } from "../lib/json.js";
import type { Role, SandboxOptions } from "./options.js";

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
  /** The username of the account that a person signs in with first. */
  readonly administrator: string;
  readonly accounts: readonly Account[];
  /** By portal id. */
  readonly portals: Readonly<Record<string, JsonObject>>;
}

/** The service account's name; its keys can be changed, its name cannot. */
export const SERVICE_ACCOUNT = "api-user";

const FILE = "sandbox.json";
const LIMITS = { largest: 64 * 1024 * 1024, links: "followed" } as const;

export function openMemory(options: SandboxOptions) {
  const { dataDir } = options;
  let remembered = given(options, (dataDir === undefined ? undefined : load(dataDir)) ?? fresh());
  const save = (all: Remembered) => {
    if (dataDir !== undefined) write(dataDir, all);
  };
  save(remembered);
  return {
    read: () => remembered,
    /** What it returns has outlived a crash, where the sandbox keeps a file at all. */
    change(next: Partial<Remembered>): void {
      // Saved first: what could not be kept is not shown either.
      const changed = { ...remembered, ...next };
      save(changed);
      remembered = changed;
    },
  };
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
    administrator: "admin",
    accounts: [
      { username: SERVICE_ACCOUNT, fullName: "API User", ...anAdministrator() },
      { username: "admin", password, fullName: "Portal Administrator", ...anAdministrator() },
    ],
    portals: {},
  };
}

/** What the options name holds over what a file remembers. */
function given(options: SandboxOptions, remembered: Remembered): Remembered {
  const { beid, webServicesKey, administrator } = { ...remembered, ...options };
  const { username = administrator, password, role } = options;
  const accounts = remembered.accounts.map((each) => ({
    ...each,
    ...(role && { role }),
    ...(each.username === administrator && {
      username,
      ...(password !== undefined && { password }),
    }),
  }));
  return { ...remembered, beid, webServicesKey, administrator: username, accounts };
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
    // Until the folder is written too, a power cut may bring the old name back.
    const folder = openSync(dataDir, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    throw new Failure("not-writable", `The folder "${dataDir}" cannot be written.`, undefined, {
      cause: error,
    });
  }
}
