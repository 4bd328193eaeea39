// Which proxy an address is asked through, by the variables that name proxies and their exceptions.
import { describe, expect, test } from "vitest";
import { readProxies } from "../../src/http/proxies.js";
import { makeRun } from "../support/network.js";

const PROXY = "http://proxy.example.com:3128/";

async function proxyFor(
  address: string,
  env: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  return (await readProxies(makeRun(env).io))(new URL(address))?.href;
}

describe("the variables", () => {
  const other = "http://other.example.com:3128";
  test.each<[address: string, env: Record<string, string>, proxy: string | undefined]>([
    ["https://gis.example.com", {}, undefined],
    ["https://gis.example.com", { HTTPS_PROXY: PROXY }, PROXY],
    ["https://gis.example.com", { HTTPS_PROXY: "proxy.example.com:3128" }, PROXY],
    ["https://gis.example.com", { https_proxy: PROXY, HTTPS_PROXY: other }, PROXY],
    ["https://gis.example.com", { HTTP_PROXY: PROXY }, PROXY],
    ["https://gis.example.com", { HTTP_PROXY: other, HTTPS_PROXY: PROXY }, PROXY],
    ["http://gis.example.com", { HTTPS_PROXY: PROXY }, undefined],
    ["http://gis.example.com", { HTTP_PROXY: PROXY, HTTPS_PROXY: other }, PROXY],
    ["http://127.0.0.1:8080", { HTTP_PROXY: PROXY }, undefined],
    ["https://[::1]:8443", { HTTPS_PROXY: PROXY }, undefined],
    ["http://127.0.0.1:8080", { HTTP_PROXY: "http://[::1]:3128" }, "http://[::1]:3128/"],
    ["http://localhost", { HTTP_PROXY: "http://127.0.0.1:3128", HTTPS_PROXY: PROXY }, undefined],
  ])("%s with %o", async (address, env, proxy) => {
    expect(await proxyFor(address, env)).toBe(proxy);
  });
});

describe("NO_PROXY", () => {
  test.each<[exceptions: string, address: string]>([
    ["*", "https://gis.example.com"],
    ["gis.example.org, *", "https://gis.example.com"],
    ["gis.example.com", "https://gis.example.com"],
    ["GIS.Example.com", "https://gis.example.com"],
    ["example.com", "https://gis.example.com"],
    [".example.com", "https://gis.example.com"],
    ["*.example.com", "https://gis.example.com"],
    ["a.example.org b.example.org,example.com", "https://gis.example.com"],
    ["gis.example.com:443", "https://gis.example.com"],
    ["gis.example.com:7443", "https://gis.example.com:7443"],
    ["10.0.0.1", "https://10.0.0.1"],
    ["2001:db8::1", "https://[2001:db8::1]"],
    ["[2001:db8::1]", "https://[2001:db8::1]"],
    ["[2001:db8::1]:7443", "https://[2001:db8::1]:7443"],
    ["10.0.0.0/8", "https://10.200.0.1"],
    ["example.org, 10.0.0.1/32", "https://10.0.0.1:7443"],
    ["2001:db8::/32", "https://[2001:db8:7::1]"],
    ["0.0.0.0/0", "https://10.0.0.1"],
    ["::/0", "https://[2001:db8::1]"],
  ])("%s keeps %s direct", async (exceptions, address) => {
    expect(await proxyFor(address, { HTTPS_PROXY: PROXY, NO_PROXY: exceptions })).toBeUndefined();
  });

  test.each<[exceptions: string, address: string]>([
    ["", "https://gis.example.com"],
    [" , ", "https://gis.example.com"],
    ["ample.com", "https://gis.example.com"],
    ["gis.example.com.org", "https://gis.example.com"],
    ["www.gis.example.com", "https://gis.example.com"],
    ["gis.example.com:80", "https://gis.example.com"],
    ["gis.example.com:7443", "https://gis.example.com"],
    ["2001:db8::1", "https://[2001:db8::2]"],
    ["gisXexample.com", "https://gis.example.com"],
    ["10.0.0.0/8", "https://11.0.0.1"],
    ["10.0.0.0/8", "https://[2001:db8::1]"],
    ["10.0.0.0/33 10.0.0/8 /8 10.0.0.0/ x/8", "https://10.0.0.1"],
    ["2001:db8::/129", "https://[2001:db8::1]"],
    ["0.0.0.0/0", "https://gis.example.com"],
    ["::/0 ::ffff:0:0/96", "https://10.0.0.1"],
  ])("%s leaves %s to the proxy", async (exceptions, address) => {
    expect(await proxyFor(address, { HTTPS_PROXY: PROXY, NO_PROXY: exceptions })).toBe(PROXY);
  });
});
