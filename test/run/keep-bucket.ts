// Gives each lane of kills a prefix in a store of objects.
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
