// A name that somebody else made mean this machine gets no answer.
import { request } from "node:http";
import { expect, test } from "vitest";
import { isOwnHost } from "../../src/lib/local-server.js";
import { sandbox } from "./drive.js";

function ask(url: string, host: string): Promise<{ status?: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { host } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    asked.on("error", reject).end();
  });
}

test("a sandbox answers to its own names alone, at every address of its own", async () => {
  const s = await sandbox();
  s.change("self", { informationalBanner: { text: "Confidential", enabled: true } });
  const { port } = new URL(s.url);
  for (const url of [`${s.url}/`, `${s.portalUrl}/portals/self/settings?f=json`]) {
    for (const name of ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"]) {
      expect(await ask(url, `${name}:${port}`)).toMatchObject({ status: 200 });
    }
    const foreign = ["evil.example.com", `evil.example.com:${port}`, "localhost", "localhost:1"];
    for (const host of [...foreign, `localhost.example.com:${port}`, `x@127.0.0.1:${port}`]) {
      const { status, text } = await ask(url, host);
      expect([host, status]).toEqual([host, 421]);
      expect(text).not.toContain("Confidential");
    }
  }
  expect(s.requests.length).toBeGreaterThan(0);
});

test("a fault that is ordered for one portal is not used up by a request to another host", async () => {
  const s = await sandbox();
  s.faults.push({ kind: "server-error" });
  await ask(`${s.portalUrl}?f=json`, "evil.example.com");
  expect(s.faults).toHaveLength(1);
});

const LOOPBACK = { host: "127.0.0.1", address: "127.0.0.1", port: 8080, isTls: false };
const EVERYWHERE = { host: "0.0.0.0", address: "0.0.0.0", port: 8080, isTls: false };
const NAMED = { host: "sandbox.example.com", address: "192.0.2.1", port: 8080, isTls: false };

test.each([
  [LOOPBACK, "127.0.0.1:8080", true],
  [LOOPBACK, "127.0.0.1:8081", false],
  [LOOPBACK, "192.0.2.7:8080", false],
  [LOOPBACK, "sandbox:8080", false],
  [{ ...LOOPBACK, port: 80 }, "localhost", true],
  [{ host: "::1", address: "::1", port: 8080, isTls: false }, "[::1]:8080", true],
  [{ ...LOOPBACK, port: 443, isTls: true }, "localhost", true],
  [{ ...LOOPBACK, port: 80, isTls: true }, "localhost", false],
  [EVERYWHERE, "localhost:9000", true],
  [EVERYWHERE, "192.0.2.7:9000", true],
  [EVERYWHERE, "[2001:db8::7]:9000", true],
  [EVERYWHERE, "sandbox:8080", true],
  [EVERYWHERE, "sandbox.example.com:8080", false],
  [NAMED, "sandbox.example.com:8080", true],
  [NAMED, "other.example.com:8080", false],
  [LOOPBACK, undefined, false],
  [LOOPBACK, "", false],
  [LOOPBACK, "127.0.0.1:8080/x", false],
  [LOOPBACK, "127.0.0.1:nine", false],
])("listening as %j, the host %s is its own: %s", (listening, header, isOwn) => {
  expect(isOwnHost(header, listening)).toBe(isOwn);
});
