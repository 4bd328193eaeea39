// Real servers and stores, where variables name one: LINTEL_TEST_HTTP_STATE and LINTEL_TEST_S3_STATE are addresses below which anything may be made.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { io, machine, openAt } from "./places.js";
import { holderFor, stateAfter } from "./samples.js";

const refusal = (code: string) => expect.objectContaining({ code }) as Error;

/** A state of its own below the address. */
function addressBelow(given: string): string {
  const [path = "", ...words] = given.split("?");
  return [`${path.replace(/\/+$/, "")}/lintel-${randomUUID()}`, ...words].join("?");
}

describe.each(["LINTEL_TEST_HTTP_STATE", "LINTEL_TEST_S3_STATE"])("%s", (variable) => {
  const given = process.env[variable];
  const note = given ? "" : ` (skipped: ${variable} names none)`;

  test.runIf(given)(`locks, writes, excludes, and is unlocked by force${note}`, async () => {
    const address = addressBelow(given ?? "");
    const open = () => openAt(address, { io: { ...io, env: process.env } });
    const [first, second] = [open(), open()];
    expect(await first.read()).toBeUndefined();
    const [ada, bob] = [holderFor(machine), holderFor(machine, "bob")];
    await first.lock(ada);
    await expect(second.lock(bob)).rejects.toThrow(refusal("state-locked"));
    await first.write(stateAfter(1), 0);
    await first.write(stateAfter(2), 1);
    await expect(first.write(stateAfter(2), 1)).rejects.toThrow(refusal("state-conflict"));
    await expect(second.write(stateAfter(3), 2)).rejects.toThrow(refusal("state-lock-lost"));
    expect(await second.read()).toEqual(stateAfter(2));
    expect((await second.forceUnlock(bob))?.id).toBe(ada.id);
    await second.lock(bob);
    await expect(first.write(stateAfter(3), 2)).rejects.toThrow(refusal("state-lock-lost"));
    await second.write(stateAfter(3), 2);
    await first.unlock(ada);
    await second.unlock(bob);
    expect((await first.read())?.serial).toBe(3);
    expect(await first.holder()).toBeUndefined();
  });

  test.skipIf(given)(`is not asked${note}`, () => {});
});
