// The live portal's home beside the file's: what anybody sees of it, and what is told where it cannot be seen.
import { expect, onTestFinished, test } from "vitest";
import { lookAsAnybody } from "../../src/commands/preview.js";
import { openHttp, readOnlyClient } from "../../src/http/http.js";
import { openHostAllowlist } from "../../src/http/host-allowlist.js";
import type { LookAtPortal } from "../../src/preview/live.js";
import {
  describeInBrowser,
  faultsOf,
  keepPicture,
  openPage,
  sideways,
} from "../support/browser.js";
import { closedPort, makeRun } from "../support/network.js";
import { openSandbox } from "../support/sandbox.js";
import { accept, look, unfold } from "./look.js";
import { openPreview, PORTAL } from "./open.js";

/** As the command looks, by a clock that jumps. */
function looking(env: Record<string, string> = {}): LookAtPortal {
  const { io } = makeRun(env);
  const http = openHttp(io);
  onTestFinished(() => http.close());
  const network = { http: readOnlyClient(http), allowlist: openHostAllowlist(io) };
  return (desired) => lookAsAnybody(desired, network);
}

const at = (url: string) => PORTAL.replace("{ name: ", `{ url: "${url}", name: `);

const LIVE = {
  informationalBanner: { text: "Closed for maintenance", enabled: true },
  anonymousAccessNotice: { title: "Terms of the portal", text: "As it is.", enabled: true },
  portalConfigProperties: { footerLinks: [{ title: "Legal", url: "https://www.example.org" }] },
  blockBetaApps: true,
};

async function compared(
  files: Record<string, string>,
  env: Record<string, string> = {},
  size = {},
) {
  const preview = await openPreview(files, Object.keys(files), 0, looking(env));
  const watched = await look(preview.url, size);
  await unfold(watched.page);
  await watched.page.getByRole("switch", { name: "Live portal beside it" }).check();
  const live = watched.page.frameLocator("#live-home");
  return { ...preview, ...watched, live, note: watched.page.locator("#live-note") };
}

describeInBrowser("in a browser", () => {
  test.each([
    { width: 1280, height: 900, colorScheme: "light" },
    { width: 390, height: 844, colorScheme: "dark" },
  ] as const)(
    "at $width pixels, $colorScheme, both homes are there and each is answered by itself",
    async (size) => {
      const sandbox = await openSandbox();
      sandbox.change("self", LIVE);
      const { page, home, live, strange } = await compared(
        { "portal.yaml": at(sandbox.portalUrl) },
        {},
        size,
      );
      await live.getByText("Closed for maintenance").waitFor();
      await accept(live);
      await live.getByRole("link", { name: "Legal" }).waitFor();
      await home.getByRole("dialog", { name: "Terms of use" }).waitFor();
      await accept(home);
      await home.getByRole("link", { name: "Terms" }).waitFor();
      await keepPicture(page, `preview-live-${size.width}-${size.colorScheme}`);
      expect(await faultsOf(page)).toEqual([]);
      expect((await sideways(page)).filter((each) => each > 0)).toEqual([]);
      await page.getByRole("switch").uncheck();
      await page.locator("#live-home").waitFor({ state: "hidden" });
      expect(strange).toEqual([]);
      const asked = sandbox.requests.map(({ method, path, headers }) => [
        method,
        path,
        headers["authorization"],
      ]);
      expect(new Set(asked.map(String))).toEqual(
        new Set([`GET,${new URL(sandbox.portalUrl).pathname}/portals/self/settings?f=json,`]),
      );
    },
  );

  test("the portal is looked at again when somebody comes back to the page, and when the file names another", async () => {
    const [one, other] = [await openSandbox(), await openSandbox()];
    one.change("self", LIVE);
    other.change("self", { informationalBanner: { text: "Another portal", enabled: true } });
    const { page, live, write } = await compared({ "portal.yaml": at(one.portalUrl) });
    await live.getByText("Closed for maintenance").waitFor();
    one.change("self", { informationalBanner: { text: "Open again", enabled: true } });
    await page.reload();
    await live.getByText("Open again").waitFor();
    await live.getByText("Footer links: unknown, as the portal shows none to anybody.").waitFor();
    write("portal.yaml", at(other.portalUrl));
    await live.getByText("Another portal").waitFor();
  });

  test("a file that is wrong leaves the portal's home as it is", async () => {
    const sandbox = await openSandbox();
    sandbox.change("self", LIVE);
    const { page, live, write } = await compared({ "portal.yaml": at(sandbox.portalUrl) });
    await live.getByText("Closed for maintenance").waitFor();
    write("portal.yaml", at(sandbox.portalUrl).replace("okOnly", "okonly"));
    await page.locator("#stage.before").waitFor();
    const opacity = (id: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector("${id}")).opacity`);
    await expect.poll(() => opacity("#home")).toBe("0.4");
    expect(await opacity("#live-home")).toBe("1");
  });

  test("a portal that means harm does none", async () => {
    const sandbox = await openSandbox();
    const text = '<script>window.canary = 1</script><img src=x onerror="window.canary = 1">';
    sandbox.change("self", {
      informationalBanner: { text, bgColor: text, enabled: true },
      portalConfigProperties: {
        footerLinks: [{ title: text, url: "javascript:window.canary = 1" }],
      },
    });
    const { page, live, strange } = await compared({ "portal.yaml": at(sandbox.portalUrl) });
    await live.getByText("window.canary").first().waitFor();
    const ran = page.frames().map((frame) => frame.evaluate("window.canary === 1"));
    expect(await Promise.all(ran)).not.toContain(true);
    expect(strange).toEqual([]);
  });

  test.each<[string, () => Promise<string>, Record<string, string>, RegExp]>([
    [
      "nobody answers",
      async () => at(`http://${await closedPort()}/sharing/rest`),
      {},
      /127\.0\.0\.1/,
    ],
    [
      "the file names none",
      () => Promise.resolve(PORTAL),
      {},
      /"portal\.yaml" does not say where the portal is\./,
    ],
    [
      "the file says that it cannot be read",
      () =>
        Promise.resolve(
          at("http://127.0.0.1:9/sharing/rest").replace("{ url", "{ read: never, url"),
        ),
      {},
      /says that the portal cannot be read/,
    ],
    [
      "the list of hosts lacks it",
      async () => at((await openSandbox()).portalUrl),
      { LINTEL_ALLOWED_HOSTS: "gis.example.com" },
      /LINTEL_ALLOWED_HOSTS/,
    ],
    [
      "it refuses to be read",
      async () => at((await openSandbox({ canRead: false })).portalUrl),
      {},
      /The preview signs nobody in/,
    ],
  ])("where %s, the page says so and goes on", async (_, text, env, message) => {
    const file = await text();
    const { page, home, note, write } = await compared({ "portal.yaml": file }, env);
    await note.locator(".problem").getByText(message).first().waitFor();
    expect(await page.locator("#live-glass").isVisible()).toBe(false);
    await keepPicture(page, "preview-live-failed");
    expect(await faultsOf(page)).toEqual([]);
    write("portal.yaml", file.replace("Read-only on Saturday", "Closed on Sunday"));
    await home.getByText("Closed on Sunday").waitFor();
  });

  test.each([
    ["the list lacks it", "gis.example.com", /LINTEL_ALLOWED_HOSTS does not list/],
    ["nobody can be asked and there is no list", "", /LINTEL_ALLOWED_HOSTS is not set/],
  ])("a host is not asked at all where %s", async (_, list, message) => {
    const sandbox = await openSandbox();
    const files = { "portal.yaml": at(sandbox.portalUrl) };
    const { note } = await compared(files, { LINTEL_ALLOWED_HOSTS: list });
    await note.locator(".problem").getByText(message).waitFor();
    expect(sandbox.requests).toEqual([]);
  });

  test("without the option nothing of a portal is offered or asked", async () => {
    const sandbox = await openSandbox();
    const { url } = await openPreview({ "portal.yaml": at(sandbox.portalUrl) });
    const { page } = await openPage(`${url}/`);
    await page.getByText("No problems.").waitFor();
    expect(await page.getByRole("switch").count()).toBe(0);
    expect(sandbox.requests).toEqual([]);
  });
});
