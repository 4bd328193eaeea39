// The contract at real servers and stores, if variables name one.
import { randomUUID } from "node:crypto";
import { describe } from "vitest";
import { storeContract } from "./store-contract.js";

/** A state of its own below the address. */
function addressBelow(given: string): string {
  const [path = "", ...words] = given.split("?");
  return [`${path.replace(/\/+$/, "")}/lintel-${randomUUID()}`, ...words].join("?");
}

const plant = () => {
  throw new Error("nobody but a store writes there");
};

describe.each(["LINTEL_TEST_HTTP_STATE", "LINTEL_TEST_S3_STATE"])("%s", (variable) => {
  const given = process.env[variable];
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(AWS|TF_HTTP)_/.test(name)),
  ) as Record<string, string>;
  describe.runIf(given)("as an address", () => {
    storeContract(() => ({ address: addressBelow(given ?? ""), env, plant }), {
      plants: false,
      kills: false,
    });
  });
});
