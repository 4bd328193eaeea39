// States in a store of objects keep every promise of a store.
import { describe, onTestFinished } from "vitest";
import { s3Backend } from "../../src/state/s3/backend.js";
import { contract } from "./contract.js";
import { s3Place } from "./s3-place.js";
import { startS3Server } from "./s3-server.js";

async function place(options = {}) {
  const server = await startS3Server(options);
  onTestFinished(() => server.close());
  return s3Place(server);
}

describe("a store that keeps to conditions", () => {
  contract(s3Backend, () => place());
});

describe("one that compares etags without their quotation marks", () => {
  contract(s3Backend, () => place({ isBare: true }));
});
