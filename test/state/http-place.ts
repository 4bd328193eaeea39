// A server of states → the place of one portal's state there, as the contract sees it.
import { openAt, type Place } from "./places.js";
import { PORTAL } from "./samples.js";
import type { startStateServer } from "./state-server.js";

export type StateServer = Awaited<ReturnType<typeof startStateServer>>;

export function httpPlace(
  server: StateServer,
  name = PORTAL.key,
): Place & { server: StateServer; path: string } {
  const path = server.pathOf(name);
  const address = server.url + path;
  return {
    server,
    path,
    address,
    open: (as) => openAt(address, as),
    told: ({ id, who, host, run, since, pid }) => ({ id, who, host, run, since, pid }),
    plant: (text) =>
      server.plant(path, typeof text === "string" ? enveloped(text) : Buffer.from(text)),
    stored: () => server.stored(path)?.toString(),
  };
}

/** Around any text, as far as it lets itself be understood. */
export function enveloped(value: string): string {
  const [, serial = "1"] = /"serial": (\d+)/.exec(value) ?? [];
  const [, lineage = "none"] = /"lineage": "([^"]+)"/.exec(value) ?? [];
  return JSON.stringify({
    version: 4,
    terraform_version: "1.9.0",
    serial: Number(serial),
    lineage,
    outputs: { portal_settings: { value, type: "string", sensitive: true } },
    resources: [],
    check_results: null,
  });
}
