// The page over TLS of its own: with a certificate that may be renewed while it runs.
import { writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { HAS_OPENSSL, makeCertificates, NEEDS_OPENSSL } from "../../support/network.js";
import { folderOf } from "../../support/run.js";
import { openBoard } from "./open.js";

const env = { LINTEL_SERVE_TOKEN: "0123456789abcdef0123456789abcdef" };

/** The status of the answer, and by which certificate it came; the authority is trusted. */
function askTls(url: string, ca: string) {
  const { port } = new URL(url);
  const headers = { host: "gis.example.com", authorization: `Bearer ${env.LINTEL_SERVE_TOKEN}` };
  return new Promise<{ status: number | undefined; by: string }>((done, fail) => {
    const options = { host: "127.0.0.1", port, path: "/api/portals", ca, headers, agent: false };
    request(options, (response) => {
      const { fingerprint256: by } = (response.socket as TLSSocket).getPeerCertificate();
      response.resume().on("end", () => done({ status: response.statusCode, by }));
    })
      .on("error", fail)
      .end();
  });
}

describe.skipIf(!HAS_OPENSSL)(`TLS${NEEDS_OPENSSL}`, () => {
  test("uses a renewed certificate from the next connection on, unless it is unusable", async () => {
    const folder = folderOf();
    onTestFinished(() => folder.remove());
    const [cert, key] = [join(folder.path, "page.crt"), join(folder.path, "page.key")];
    const [first, second] = [makeCertificates(), makeCertificates()];
    const keep = ({ server }: typeof first) => {
      writeFileSync(cert, server.cert);
      writeFileSync(key, server.key);
    };
    keep(first);
    const said = { tlsCert: cert, tlsKey: key, publicUrl: "https://gis.example.com" };
    const board = await openBoard(undefined, said, env);
    const before = await askTls(board.url, first.ca);
    expect(before.status).toBe(200);
    await expect(askTls(board.url, second.ca)).rejects.toThrow(/certificate|verify/);
    keep(second);
    expect(await board.beat()).toEqual([]);
    const after = await askTls(board.url, second.ca);
    expect(after).toMatchObject({ status: 200, by: expect.not.stringContaining(before.by) });
    writeFileSync(cert, "no certificate");
    expect((await board.beat())[0]).toMatch(
      /The renewed certificate of the dashboard is not used: /,
    );
    expect((await askTls(board.url, second.ca)).by).toBe(after.by);
  });

  test("refuses a file that is not a certificate at the start", async () => {
    const folder = folderOf({ "page.crt": "none", "page.key": "none" });
    onTestFinished(() => folder.remove());
    const said = {
      tlsCert: join(folder.path, "page.crt"),
      tlsKey: join(folder.path, "page.key"),
    };
    await expect(openBoard(undefined, said)).rejects.toMatchObject({ code: "bad-certificate" });
    await expect(
      openBoard(undefined, { ...said, tlsKey: join(folder.path, "no.key") }),
    ).rejects.toMatchObject({
      code: "bad-certificate",
      message: expect.stringContaining("no.key"),
    });
  });
});
