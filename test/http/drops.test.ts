// An update against a server that drops connections at any moment, often enough to meet every moment.
import { expect, test } from "vitest";
import { HAS_OPENSSL, NEEDS_OPENSSL } from "../support/network.js";
import { expectOnceAtMost } from "./dropping.js";

test("an update is on the wire once at most, in 500 runs", async () => {
  const { taken, unknown } = await expectOnceAtMost("plain", 500);
  // All that can happen did happen, and often. Where a connection stands at once, what is cut counts as sent.
  expect(taken).toBeGreaterThan(100);
  expect(unknown).toBeGreaterThan(100);
});

test.skipIf(!HAS_OPENSSL).each(["TLS", "proxy"] as const)(
  `the same over %s${NEEDS_OPENSSL}`,
  async (way) => {
    const { taken, unknown, unsent } = await expectOnceAtMost(way, 60);
    for (const times of [taken, unknown, unsent]) expect(times).toBeGreaterThan(5);
  },
);
