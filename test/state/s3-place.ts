// A store of objects → the place of one portal's state there, as the contract sees it.
import { openAt, type Place } from "./places.js";
import { KEYS, type startS3Server } from "./s3-server.js";
import { PORTAL } from "./samples.js";

type S3Server = Awaited<ReturnType<typeof startS3Server>>;

export function s3Place(server: S3Server): Place & { server: S3Server; name: string } {
  const name = `gis/lintel/${PORTAL.key}.json`;
  const { address } = server;
  return {
    server,
    name,
    address,
    env: KEYS,
    open: (as) => openAt(address, { env: KEYS, ...as }),
    plant: (text) =>
      void server.objects.set(name, typeof text === "string" ? text : Buffer.from(text)),
    stored: () => server.objects.get(name)?.toString(),
  };
}
