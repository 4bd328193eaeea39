// A place for the contract: one portal's state in a store of objects.
import { KEYS, type startS3Server } from "./s3-server.js";
import { PORTAL } from "./samples.js";
import type { StatePlace } from "./store-contract.js";

type S3Server = Awaited<ReturnType<typeof startS3Server>>;

export function s3Place(
  server: S3Server,
): StatePlace & { server: S3Server; name: string; stored(): string | undefined } {
  const name = `gis/lintel/${PORTAL.key}.json`;
  const { address } = server;
  return {
    server,
    name,
    address,
    env: KEYS,
    plant: (text) =>
      void server.objects.set(name, typeof text === "string" ? text : Buffer.from(text)),
    stored: () => server.objects.get(name)?.toString(),
  };
}
