// What a platform refuses a request with stands on one line of the log, and begins none of its own.
import { expect, test } from "vitest";
import { call, textFrom } from "../../src/pipelines/programs/call.js";
import { oneLine } from "../../src/lib/text.js";
import { COMMANDING } from "../lib/log-commands.js";
import { serve } from "../support/network.js";

test.each([
  ["an answer", (address: string) => call({ method: "GET", address, headers: {} })],
  ["a text", (address: string) => textFrom(address, {}, 100)],
])("a refusal in place of %s", async (_, ask) => {
  const { url } = await serve((__, response) => response.writeHead(400).end(COMMANDING));
  const error = await ask(url).catch((caught: unknown) => caught);
  const { message } = error as Error;
  expect(message).toMatch(/^GET http:.*: 400 first line ::add-mask::gis /);
  expect(oneLine(message)).toBe(message);
});
