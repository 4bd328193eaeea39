// A host's name → the addresses that this machine finds for it.
import { lookup } from "node:dns/promises";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";

export async function findAddresses(url: string, shown: string): Promise<readonly string[]> {
  const { hostname } = new URL(url);
  const name = hostname.replace(/^\[|\]$/g, "");
  try {
    const found = await lookup(name, { all: true });
    return [...new Set(found.map(({ address }) => address))];
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new Failure(
      "not-reachable",
      `The name "${shown}" leads to no address (${code}).`,
      "Check its spelling, and whether this machine's name server knows it.",
      { cause: error },
    );
  }
}

/** Behind a proxy it is the proxy that looks names up. */
export function hasProxy({ env }: Io, url: string): boolean {
  const names = url.startsWith("https:") ? ["https_proxy", "http_proxy"] : ["http_proxy"];
  return names.some((name) => Boolean(env[name] ?? env[name.toUpperCase()]));
}
