// Starts a sandbox in a process of its own, so that what is measured shares no process with it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { BIN, environment } from "../support/run.js";

export interface Served {
  readonly portalUrl: string;
  readonly signInUrl: string;
  readonly beid: string;
  readonly webServicesKey: string;
}

export async function withSandbox<T>(
  portals: number,
  work: (served: Served) => Promise<T>,
  more: readonly string[] = [],
): Promise<T> {
  const words = [BIN, "sandbox", "--portals", String(portals), "--output", "json", ...more];
  const child = spawn(process.execPath, words, {
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    return await work(JSON.parse(line) as Served);
  } finally {
    child.kill();
    await ended;
  }
}

export function keysOf({ beid, webServicesKey }: Served): Record<string, string> {
  return { LINTEL_BEID: beid, LINTEL_WEB_SERVICES_KEY: webServicesKey };
}
