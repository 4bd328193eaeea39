// A server whose connections are cut at any byte, and a client that updates and reads meanwhile.
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { expect } from "vitest";
import { CallFailure, openHttp } from "../../src/http/http.js";
import {
  get,
  update,
  HAS_OPENSSL,
  listen,
  makeCertificates,
  makeRun,
  serveProxy,
  serveRaw,
} from "../support/network.js";
import { fc } from "../support/property.js";

export type Way = "plain" | "TLS" | "proxy";

const certificates = HAS_OPENSSL ? makeCertificates() : undefined!;

/** What becomes of one connection: it is cut once so many bytes have passed in one direction. */
interface Fate {
  readonly up: number;
  readonly down: number;
  readonly how: "end" | "destroy" | "reset";
}

type Step = "read" | "update" | "both";

/** A relay before a server: it cuts each connection as its fate says, by bytes and not by time. */
async function serveRelay(far: string, fateOf: (connection: number) => Fate, seen: string[]) {
  const { host } = await serveRaw((socket, before) => {
    const { up, down, how } = fateOf(before);
    const [name, port] = far.split(":");
    const through = connect(Number(port), name);
    seen[before] = "";
    const cut = () => {
      through.destroy();
      if (how === "reset") socket.resetAndDestroy();
      else socket[how]();
    };
    pass(socket, through, up, cut, (bytes) => (seen[before] += bytes.toString("latin1")));
    pass(through, socket, down, cut);
    through.on("error", () => socket.destroy());
    through.on("close", () => socket.end());
    socket.on("close", () => through.destroy());
  });
  return host;
}

function pass(
  from: Socket,
  to: Socket,
  most: number,
  cut: () => void,
  note?: (bytes: Buffer) => void,
): void {
  let passed = 0;
  if (most === 0) return cut();
  from.on("data", (bytes: Buffer) => {
    note?.(bytes);
    const left = most - passed;
    passed += bytes.length;
    if (left <= 0) return;
    to.write(bytes.subarray(0, left));
    if (passed >= most) setImmediate(cut);
  });
}

const answer = (_: unknown, response: { end(text: string): unknown }) => response.end("taken");

/** How often each update came to the server or, where that can be read, was on the wire at all. */
async function arrange(way: Way) {
  let fates: readonly Fate[] = [];
  const seen: string[] = [];
  const arrived: string[] = [];
  const server =
    way === "plain" ? createServer(answer) : createTlsServer(certificates.server, answer);
  server.on("request", ({ url = "" }) => arrived.push(url));
  const far = await listen(server);
  const first = way === "proxy" ? (await serveProxy({ far })).host : far;
  const fateOf = (connection: number) => fates[connection % fates.length]!;
  const relay = await serveRelay(first, fateOf, seen);
  return {
    env: way === "proxy" ? { HTTPS_PROXY: `http://${relay}` } : {},
    root: { plain: `http://${relay}`, TLS: `https://${relay}`, proxy: "https://gis.example.com" }[
      way
    ],
    begin: (next: readonly Fate[]) => {
      fates = next;
      seen.length = 0;
      arrived.length = 0;
    },
    timesOf: (path: string) =>
      way === "plain"
        ? seen.join("\n").split(`POST ${path} `).length - 1
        : arrived.filter((each) => each === path).length,
  };
}

/** How many updates were taken, may have been, and surely were not. */
export interface Outcomes {
  taken: number;
  unknown: number;
  unsent: number;
}

/** Sends updates and reads, alone and side by side, while connections are cut. No update comes twice, and none that came is called unsent. */
export async function expectOnceAtMost(way: Way, runs: number): Promise<Outcomes> {
  const { env, root, begin, timesOf } = await arrange(way);
  // What a handshake and a request take, and somewhat more.
  const most = way === "plain" ? 400 : 2_500;
  const fate = fc.record<Fate>({
    up: fc.oneof(fc.nat(most), fc.constant(1e9)),
    down: fc.oneof(fc.nat(most), fc.constant(1e9)),
    how: fc.constantFrom("end", "destroy", "reset"),
  });
  const steps = fc.array(fc.constantFrom<Step>("read", "update", "both"), {
    minLength: 1,
    maxLength: 3,
  });
  const outcomes = { taken: 0, unknown: 0, unsent: 0 };
  let count = 0;
  const property = fc.asyncProperty(
    fc.array(fate, { minLength: 1, maxLength: 6 }),
    steps,
    async (fates, wanted) => {
      begin(fates);
      const http = openHttp(makeRun(env).io, way === "plain" ? {} : { ca: certificates.ca });
      const read = () => http.call(get(`${root}/read`)).catch(() => undefined);
      const send = async () => {
        const path = `/update-${count++}`;
        const ended: unknown = await http
          .call(update(root + path))
          .catch((error: unknown) => error);
        return { path, ended };
      };
      const sent: Awaited<ReturnType<typeof send>>[] = [];
      for (const step of wanted) {
        if (step === "read") await read();
        if (step === "update") sent.push(await send());
        if (step === "both") {
          const [first, second] = await Promise.all([send(), send(), read()]);
          sent.push(first, second);
        }
      }
      await http.close();
      for (const { path, ended } of sent) {
        const times = timesOf(path);
        expect(times).toBeLessThanOrEqual(1);
        if (!(ended instanceof CallFailure)) {
          expect(ended).toMatchObject({ status: 200, text: "taken" });
          expect(times).toBe(1);
          outcomes.taken++;
        } else {
          if (!ended.sent) expect(times).toBe(0);
          outcomes[ended.sent ? "unknown" : "unsent"]++;
        }
      }
    },
  );
  await fc.assert(property, { numRuns: runs });
  return outcomes;
}
