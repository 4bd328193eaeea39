// A store of objects of its own → prefixes below which runs are killed: the lock of one that died ends by itself.
import { randomUUID } from "node:crypto";
import { KEYS, startS3Server } from "../state/s3-server.js";
import type { Keeping } from "./kept.js";

export async function bucketKeeping() {
  const server = await startS3Server();
  const keeping: Keeping = {
    name: "s3:",
    byHand: [],
    fresh: async () => ({ address: server.address.replace("?", `/${randomUUID()}?`), env: KEYS }),
  };
  return { keeping, close: () => server.close() };
}
