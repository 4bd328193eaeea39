// Which calls go through a proxy, by the variables that name proxies, and what a proxy gets to see.
import { createServer as createTlsServer } from "node:https";
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { isProxied, readProxies } from "../../src/http/dispatcher.js";
import { openHttp, type HttpOptions } from "../../src/http/http.js";
import { RETRY_POLICY } from "../../src/http/retry.js";
import { failureOf } from "../support/failure.js";
import {
  get,
  update,
  closedPort,
  HAS_OPENSSL,
  listen,
  makeCertificates,
  makeRun,
  NEEDS_OPENSSL,
  serve,
  serveProxy,
  serveRaw,
} from "../support/network.js";
import type { Environment } from "../support/run.js";

const ONCE = { ...RETRY_POLICY, attempts: 1 };

function open(env: Environment, options: HttpOptions = {}) {
  const http = openHttp(makeRun(env).io, options);
  onTestFinished(() => http.close());
  return http;
}

/** A proxy that opens no tunnel, and knows what it was asked for. */
async function serveRefusal(status = "403 Forbidden") {
  const asked: string[] = [];
  const { url } = await serveRaw((socket) =>
    socket.once("data", (data) => {
      asked.push(data.toString("latin1").split("\r\n")[0] ?? "");
      socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 2\r\n\r\nno`);
    }),
  );
  return { url, asked };
}

describe("the variables", () => {
  const asks = (address: string, env: Environment) => {
    const { io } = makeRun(env);
    return isProxied(new URL(address), readProxies(io));
  };
  const PROXY = "http://proxy.example.com:3128";

  test.each<[isAsked: boolean, address: string, env: Environment]>([
    [false, "https://gis.example.com", {}],
    [true, "https://gis.example.com", { HTTPS_PROXY: PROXY }],
    [true, "https://gis.example.com", { https_proxy: "proxy.example.com:3128" }],
    [false, "https://gis.example.com", { https_proxy: "", HTTPS_PROXY: PROXY }],
    [true, "https://gis.example.com", { HTTP_PROXY: PROXY }],
    [true, "http://gis.example.com", { HTTP_PROXY: PROXY }],
    [false, "http://gis.example.com", { HTTPS_PROXY: PROXY }],
  ])("a proxy is asked (%s) for %s with %o", async (isAsked, address, env) => {
    expect(await asks(address, env)).toBe(isAsked);
  });

  test.each([
    "http://127.0.0.1:8080",
    "https://127.8.9.10",
    "http://localhost",
    "https://[::1]:8443",
  ])("no proxy is asked for this machine: %s", async (address) => {
    for (const proxy of [PROXY, "http://127.0.0.1:3128", "http://[::1]:3128"]) {
      expect(await asks(address, { HTTP_PROXY: proxy, HTTPS_PROXY: proxy })).toBe(false);
    }
  });

  test.each<[NO_PROXY: string, address: string]>([
    ["*", "https://gis.example.com"],
    ["gis.example.com", "https://gis.example.com"],
    ["GIS.Example.com", "https://gis.example.com"],
    ["example.com", "https://gis.example.com"],
    [".example.com", "https://gis.example.com"],
    ["*.example.com", "https://gis.example.com"],
    ["a.example.org b.example.org,example.com", "https://gis.example.com"],
    ["gis.example.com:443", "https://gis.example.com"],
    ["gis.example.com:7443", "https://gis.example.com:7443"],
    ["10.0.0.1", "https://10.0.0.1"],
    ["[2001:db8::1]", "https://[2001:db8::1]"],
  ])("NO_PROXY=%s keeps %s direct", async (NO_PROXY, address) => {
    expect(await asks(address, { HTTPS_PROXY: PROXY, NO_PROXY })).toBe(false);
    expect(await asks(address, { HTTPS_PROXY: PROXY, no_proxy: NO_PROXY })).toBe(false);
  });

  test.each<[NO_PROXY: string, address: string]>([
    ["", "https://gis.example.com"],
    [" , ", "https://gis.example.com"],
    ["ample.com", "https://gis.example.com"],
    ["gis.example.com.org", "https://gis.example.com"],
    ["www.gis.example.com", "https://gis.example.com"],
    ["gis.example.com:80", "https://gis.example.com"],
    ["gis.example.com:7443", "https://gis.example.com"],
    ["gisXexample.com", "https://gis.example.com"],
    ["gis.example.org, *", "https://gis.example.com"],
    ["10.0.0.0/8", "https://10.0.0.1"],
    ["2001:db8::1", "https://[2001:db8::1]"],
  ])("NO_PROXY=%s leaves %s to the proxy", async (NO_PROXY, address) => {
    expect(await asks(address, { HTTPS_PROXY: PROXY, NO_PROXY })).toBe(true);
  });

  test("a call asks the proxy of its scheme, and none for a host of NO_PROXY", async () => {
    const [plain, secure] = [await serveRefusal(), await serveRefusal()];
    const env = { HTTP_PROXY: plain.url, HTTPS_PROXY: secure.url, NO_PROXY: "gis.invalid" };
    const http = open(env, { retryPolicy: ONCE });
    await failureOf(http.call(get("http://gis.example.com/x")));
    await failureOf(http.call(get("https://gis.example.com/x")));
    expect(plain.asked).toEqual(["CONNECT gis.example.com:80 HTTP/1.1"]);
    expect(secure.asked).toEqual(["CONNECT gis.example.com:443 HTTP/1.1"]);
    const failure = await failureOf(http.call(get("https://gis.invalid/x")));
    expect(failure.message).not.toContain("proxy");
    expect([...plain.asked, ...secure.asked]).toHaveLength(2);
  });

  test("a call to this machine asks no proxy", async () => {
    const server = await serve((_, response) => response.end("fine"));
    const proxy = await serveRefusal();
    const http = open({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url });
    expect(await http.call(get(server.url))).toMatchObject({ text: "fine" });
    expect(await http.call(update(server.url))).toMatchObject({ text: "fine" });
    expect(proxy.asked).toEqual([]);
  });

  test("the environment of the process itself counts for nothing", async () => {
    const proxy = await serveRefusal();
    for (const name of ["http_proxy", "https_proxy"]) vi.stubEnv(name, proxy.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    await failureOf(open({}, { retryPolicy: ONCE }).call(get("https://gis.invalid/x")));
    expect(proxy.asked).toEqual([]);
    vi.stubEnv("no_proxy", "*");
    await failureOf(
      open({ HTTPS_PROXY: proxy.url }, { retryPolicy: ONCE }).call(get("https://gis.invalid/x")),
    );
    expect(proxy.asked).toEqual(["CONNECT gis.invalid:443 HTTP/1.1"]);
  });

  test("a network in NO_PROXY is ignored, with one warning a run", async () => {
    const proxy = await serveRefusal();
    const said: string[] = [];
    const { io } = makeRun({ HTTPS_PROXY: proxy.url, NO_PROXY: "example.org, 10.0.0.0/8,::/0" });
    const http = openHttp(
      { ...io, stderr: { write: (text) => said.push(text), isTerminal: false } },
      { retryPolicy: ONCE },
    );
    onTestFinished(() => http.close());
    for (const client of [http, http, http.with({ answerLimit: 1 })])
      await failureOf(client.call(get("https://10.0.0.1/x")));
    expect(proxy.asked).toHaveLength(3);
    expect(said).toEqual([
      "warning: Lintel ignores `10.0.0.0/8` in NO_PROXY; list the host.\n",
      "warning: Lintel ignores `::/0` in NO_PROXY; list the host.\n",
    ]);
  });

  test("without a proxy nothing is said of NO_PROXY", () => {
    const said: string[] = [];
    const { env } = makeRun({ NO_PROXY: "10.0.0.0/8" }).io;
    readProxies({ env, stderr: { write: (text) => said.push(text), isTerminal: false } });
    expect(said).toEqual([]);
  });

  test.each([
    "http://me:hush@",
    "/hush",
    "http:hush",
    "http:///hush",
    "socks5://hush:1080",
    "http://hush:99999",
    "http://me:hush%x@proxy.example.com",
  ])("an address such as %s is wrong usage", async (HTTPS_PROXY) => {
    const failure = await failureOf(open({ HTTPS_PROXY }).call(get("https://gis.example.com")));
    expect(failure.code).toBe("wrong-usage");
    expect(failure.message).toContain("HTTPS_PROXY");
    expect(inspect(failure)).not.toContain("hush");
  });
});

describe("a tunnel", () => {
  test("leads plain http to its host", async () => {
    const server = await serve((_, response) => response.end("fine"));
    const proxy = await serveProxy({ far: server.host });
    const http = open({ HTTP_PROXY: `http://me:hu%25sh@${proxy.host}` });
    expect(await http.call(get("http://gis.example.com/x"))).toMatchObject({ text: "fine" });
    expect(proxy.asked).toEqual(["gis.example.com:80"]);
    expect(proxy.credentials).toEqual([`Basic ${btoa("me:hu%sh")}`]);
    const [received] = server.received;
    expect(received).toMatchObject({ path: "/x", headers: { host: "gis.example.com" } });
    expect(Object.keys(received?.headers ?? {})).not.toContain("proxy-authorization");
  });

  test("without an answer times out", async () => {
    const server = await serveRaw((socket) =>
      socket.once("data", () => socket.write("HTTP/1.1 200 Connection established\r\n\r\n")),
    );
    const http = open({ HTTPS_PROXY: server.url }, { connectTimeoutMs: 100, retryPolicy: ONCE });
    expect(await failureOf(http.call(update("https://gis.example.com/x")))).toMatchObject({
      code: "not-reachable",
      sent: false,
    });
  });

  test.each(["http", "https"])(
    "that the proxy closes at once fails, and is not asked for without end (%s)",
    async (scheme) => {
      let tunnels = 0;
      const server = await serveRaw((socket) =>
        socket.once("data", () => {
          tunnels++;
          socket.end("HTTP/1.1 200 Connection established\r\n\r\n");
        }),
      );
      const http = open({ HTTPS_PROXY: server.url, HTTP_PROXY: server.url }, { retryPolicy: ONCE });
      await failureOf(http.call(update(`${scheme}://gis.example.com/x`)));
      expect(tunnels).toBe(1);
    },
  );
});

describe("a proxy", () => {
  test.each(["http", "https"])(
    "that is not running is named as the reason (%s)",
    async (scheme) => {
      const proxy = `http://${await closedPort()}`;
      const http = open({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy });
      expect(await failureOf(http.call(update(`${scheme}://gis.example.com/x`)))).toMatchObject({
        code: "not-reachable",
        sent: false,
        isPassing: true,
        message: 'The proxy does not connect to "gis.example.com" (ECONNREFUSED).',
      });
    },
  );

  test.each(["http", "https"])("that asks for a password is named (%s)", async (scheme) => {
    const proxy = await serveRefusal("407 Proxy Authentication Required");
    const address = proxy.url.replace("//", "//me:hush@");
    const http = open({ HTTP_PROXY: address, HTTPS_PROXY: address });
    const failure = await failureOf(http.call(get(`${scheme}://gis.example.com/x`)));
    expect(failure).toMatchObject({ code: "not-reachable", sent: false, isPassing: false });
    expect(failure.message).toMatch(/proxy.*407/);
    expect(failure.help).toContain("NAME:PASSWORD");
    expect(inspect(failure)).not.toContain("hush");
    expect(proxy.asked).toHaveLength(1);
  });

  test("is not assumed for a direct answer with 407", async () => {
    const server = await serve((_, response) => response.writeHead(407).end());
    expect(await open({}).call(update(server.url))).toMatchObject({ status: 407 });
  });

  test.each([
    ["that hangs", "", "ETIMEDOUT"],
    ["that says no", "HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno", "403"],
    ["that fails", "HTTP/1.1 502 Bad Gateway\r\n\r\n", "502"],
    ["that speaks something else", "220 mail.example.com\r\n", "HTTPParserError"],
    ["that closes without an answer", "end", "ECONNRESET"],
  ])("%s opens no tunnel, and nothing was sent", async (_, answer, reason) => {
    const sockets: Promise<unknown>[] = [];
    const server = await serveRaw((socket) => {
      sockets.push(new Promise((done) => socket.once("close", done)));
      socket.once("data", () => (answer === "end" ? socket.end() : socket.write(answer)));
    });
    const http = open({ HTTPS_PROXY: server.url }, { connectTimeoutMs: 100, retryPolicy: ONCE });
    const failure = await failureOf(http.call(update("https://gis.example.com/x")));
    const isPassing = !/^4|^HTTP/.test(reason);
    expect(failure).toMatchObject({
      code: "not-reachable",
      sent: false,
      isPassing,
      message: expect.stringContaining(`(${reason})`),
    });
    expect(sockets.length).toBe(1);
    // It is not left over.
    await Promise.all(sockets);
  });

  test("that answers one byte at a time times out", async () => {
    const server = await serveRaw((socket) => {
      const timer = setInterval(() => socket.write("H"), 20);
      socket.once("close", () => clearInterval(timer));
    });
    const http = open({ HTTPS_PROXY: server.url }, { connectTimeoutMs: 100, retryPolicy: ONCE });
    expect(await failureOf(http.call(update("https://gis.example.com/x")))).toMatchObject({
      code: "not-reachable",
      sent: false,
    });
  });
});

describe.skipIf(!HAS_OPENSSL)(`certificates and proxies${NEEDS_OPENSSL}`, () => {
  const certificates = HAS_OPENSSL ? makeCertificates() : undefined!;
  const { ca, client, server, proxy } = certificates ?? {};
  const SHOWN = { ca, requestCert: true, rejectUnauthorized: true };

  /** A host behind a proxy; either of them may ask for a client certificate. */
  async function arrange(asking: "host" | "proxy" | "neither", proxyTls?: typeof proxy) {
    const far = await listen(
      createTlsServer({ ...server, ...(asking === "host" && SHOWN) }, (_, response) =>
        response.end("safe"),
      ),
    );
    const tls = proxyTls && { ...proxyTls, ...(asking === "proxy" && SHOWN) };
    const made = await serveProxy({ far, ...(tls && { tls }) });
    const [, port] = made.host.split(":");
    const HTTPS_PROXY = tls ? `https://me:hush@localhost:${port}` : `http://me:hush@${made.host}`;
    return { HTTPS_PROXY, ...made };
  }

  const asked = { asked: ["gis.example.com:443"], credentials: [`Basic ${btoa("me:hush")}`] };

  test("a host of a private authority is reached through a proxy", async () => {
    const { HTTPS_PROXY, ...made } = await arrange("neither");
    const failure = await failureOf(open({ HTTPS_PROXY }).call(update("https://gis.example.com/")));
    expect(failure).toMatchObject({ code: "not-trusted", sent: false });
    expect(failure.message).toContain('"gis.example.com"');
    made.asked.length = 0;
    made.credentials.length = 0;
    const http = open({ HTTPS_PROXY }, { ca });
    expect(await http.call(get("https://gis.example.com/"))).toMatchObject({ text: "safe" });
    expect(made).toMatchObject(asked);
  });

  test("a proxy over https proves its own name, and then the host proves its own", async () => {
    const { HTTPS_PROXY, ...made } = await arrange("neither", proxy);
    const http = open({ HTTPS_PROXY }, { ca });
    expect(await http.call(update("https://gis.example.com/x"))).toMatchObject({ text: "safe" });
    expect(made).toMatchObject(asked);
  });

  test("sends nothing to a proxy with the certificate of the host", async () => {
    const { HTTPS_PROXY, ...made } = await arrange("neither", server);
    const http = open({ HTTPS_PROXY }, { ca });
    expect(await failureOf(http.call(update("https://gis.example.com/x")))).toMatchObject({
      code: "not-trusted",
      sent: false,
      isPassing: false,
      message: "The certificate of the proxy is not trusted (ERR_TLS_CERT_ALTNAME_INVALID).",
    });
    expect(made.asked).toEqual([]);
  });

  test("sends nothing to a proxy of an unknown private authority", async () => {
    const { HTTPS_PROXY, ...made } = await arrange("neither", proxy);
    const failure = await failureOf(
      open({ HTTPS_PROXY }).call(update("https://gis.example.com/x")),
    );
    expect(failure).toMatchObject({ code: "not-trusted", sent: false });
    expect(failure.message).toContain("The certificate of the proxy");
    expect(made.asked).toEqual([]);
  });

  test.each(["host", "proxy"] as const)(
    "a client certificate is shown to the %s that asks for one",
    async (asking) => {
      const { HTTPS_PROXY } = await arrange(asking, proxy);
      const bare = open({ HTTPS_PROXY }, { ca, retryPolicy: ONCE });
      expect((await failureOf(bare.call(get("https://gis.example.com/")))).exit).toBe(4);
      const http = open({ HTTPS_PROXY }, { ca, ...client });
      expect(await http.call(get("https://gis.example.com/"))).toMatchObject({ text: "safe" });
      expect(await http.call(update("https://gis.example.com/"))).toMatchObject({ text: "safe" });
    },
  );
});
