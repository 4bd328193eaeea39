// What doctor says of a file's problems, and of credentials that are not set: a terminal is asked for secrets alone.
import { expect, test } from "vitest";
import { credentialsFinding } from "../../src/commands/doctor/findings.js";
import { openPlace } from "../run/place.js";
import { makeRun } from "../support/network.js";

const { io } = makeRun();
const at = (isTerminal: boolean) => ({ ...io, stdin: { ...io.stdin, isTerminal } });
const signIn = { method: "generate-token", fields: {}, variables: {} } as unknown as Parameters<
  typeof credentialsFinding
>[0];
const withName = { ...signIn, fields: { username: "api" } };
const missing = expect.objectContaining({ code: "credential-missing" }) as Error;

test("promises a question for a password, and none for a user name", () => {
  expect(credentialsFinding(withName, at(true))).toMatchObject({
    warning: expect.stringContaining("Lintel asks for it when it signs in.") as string,
  });
  expect(() => credentialsFinding(signIn, at(true))).toThrow(missing);
  expect(() => credentialsFinding(withName, at(false))).toThrow(missing);
});

test("counts the problems of a file by severity", async () => {
  const place = await openPlace();
  const banner = "text: Hello, bgColor: yellow, fontColor: white, enabled: true";
  place.write(`settings:\n  informationalBanner: { ${banner} }\n`);
  expect((await place.run("doctor")).stdout).toContain('"portal.yaml" has 1 warning.\n');
});
