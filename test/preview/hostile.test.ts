// Texts that mean harm, in every field, in a browser: nothing of them runs, and the layout stands.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { check } from "../../src/document/check/check.js";
import { readInput } from "../../src/document/read/bytes.js";
import type { JsonObject } from "../../src/lib/json.js";
import { previewFile } from "../../src/preview/preview-page.js";
import {
  describeInBrowser,
  faultsOf,
  keepPicture,
  openPage,
  sideways,
} from "../support/browser.js";
import { folderOf } from "../support/run.js";
import { openSandbox } from "../support/sandbox.js";
import { openPreview } from "./open.js";

const HARM = [
  "<script>window.canary = 1</script>",
  `<img src="http://127.0.0.1:9/x" onerror="window.canary = 1">`,
  `"><svg onload="window.canary = 1">`,
  "' autofocus onfocus='window.canary = 1' x='",
  "</title></style></textarea></script><script>window.canary = 1</script>",
  "]]><!-- --> <iframe srcdoc='<script>parent.canary = 1</script>'>",
  "javascript:window.canary = 1",
  "java\nscript:window.canary=1",
  "data:text/html,<script>parent.canary = 1</script>",
  "\u202eevil\u202c \u2066x\u2069 \u0007 \u001b[31m \u200b \u2028",
  "$${env:HOME} $${file:/etc/passwd}",
  "{{constructor.constructor('window.canary = 1')()}}",
];
const LONG = `${HARM.join(" ")} ${"\u202e\u202d".repeat(5_000)} ${"x".repeat(100_000)} ${"y ".repeat(5_000)}`;

function settingsOf(text: string): JsonObject {
  const notice = { title: text, text, buttons: "acceptAndDecline", enabled: true };
  return {
    informationalBanner: { text, bgColor: text, fontColor: text, enabled: true },
    anonymousAccessNotice: notice,
    authenticatedAccessNotice: { ...notice, buttons: text },
    portalConfigProperties: {
      footerLinks: [
        { title: text, url: text },
        { title: text, email: text, type: text },
        { url: text },
      ],
      showInAppLauncher: [text, text],
      surveyUrl: text,
      iotViewerUrl: text,
    },
  };
}

/** Nothing that a schema or a rule refuses, so that the page is shown. */
function fitting(text: string): JsonObject {
  const { informationalBanner, anonymousAccessNotice } = settingsOf(text);
  return {
    informationalBanner: informationalBanner ?? null,
    anonymousAccessNotice: anonymousAccessNotice ?? null,
    portalConfigProperties: {
      footerLinks: [{ title: text, url: "https://www.example.org/" }],
      showInAppLauncher: [text, text],
    },
  };
}

const fileOf = (settings: JsonObject, name: string) =>
  `targetVersion: "11.5"\nportal: ${JSON.stringify({ name })}\nsettings: ${JSON.stringify(settings)}\n`;

const CANARIES = "[self, frames[0] ?? self].some((each) => each.canary !== undefined)";

describeInBrowser("harmful texts", () => {
  test("do nothing in a preview, one by one", async () => {
    const { url, write } = await openPreview({ "portal.yaml": "" });
    const { page, strange } = await openPage(`${url}/`);
    const home = page.frameLocator("#home");
    for (const [at, harm] of HARM.entries()) {
      const name = `${harm} of portal ${at}`;
      write("portal.yaml", fileOf(fitting(harm), name));
      await home.getByRole("button", { name: "Accept" }).click();
      await home.getByText(`of portal ${at}`).first().waitFor();
      // Whoever opened the apps sees them until another visitor is chosen.
      if (at === 0) await home.locator("summary").click();
      await home.locator(".apps li").first().waitFor();
      expect({ harm, hasRun: await page.evaluate(CANARIES) }).toEqual({ harm, hasRun: false });
      // The same where a rule refuses it, and the text stands in a message and in a line of the file.
      write("portal.yaml", fileOf(settingsOf(harm), name));
      await page.locator(".problem.error").first().waitFor();
      expect({ harm, hasRun: await page.evaluate(CANARIES) }).toEqual({ harm, hasRun: false });
      write("portal.yaml", 'targetVersion: "11.5"\n');
      await home.locator("dialog").waitFor({ state: "detached" });
      await page.locator("#problems").waitFor({ state: "hidden" });
      expect({ harm, strange }).toEqual({ harm, strange: [] });
    }
  });

  test.each([320, 1440])(
    "100 kB of them in every field leave the layout whole at %d pixels",
    { tags: ["long"] },
    async (width) => {
      const { url, write } = await openPreview({ "portal.yaml": fileOf(fitting(LONG), LONG) });
      const { page, strange } = await openPage(`${url}/`, { width });
      const home = page.frameLocator("#home");
      const accept = home.getByRole("button", { name: "Accept" });
      await accept.waitFor();
      await keepPicture(page, `hostile-${width}-asked`);
      expect((await sideways(page)).filter((each) => each > 0)).toEqual([]);
      expect(await faultsOf(page)).toEqual([]);
      await accept.click();
      await home.locator("summary").click();
      await keepPicture(page, `hostile-${width}`);
      expect((await sideways(page)).filter((each) => each > 0)).toEqual([]);
      write("portal.yaml", fileOf(settingsOf(LONG), LONG));
      await page.locator(".problem.error").first().waitFor();
      await keepPicture(page, `hostile-${width}-errors`);
      expect((await sideways(page)).filter((each) => each > 0)).toEqual([]);
      expect(await faultsOf(page)).toEqual([]);
      expect(strange).toEqual([]);
    },
  );

  test("do nothing on a sandbox's home and in its directory", { tags: ["long"] }, async () => {
    const sandbox = await openSandbox();
    const { page, strange } = await openPage(`${sandbox.url}/`);
    for (const harm of HARM) {
      sandbox.change("self", settingsOf(harm));
      await page.goto(`${sandbox.url}/`);
      await page.getByRole("button", { name: "Accept" }).click();
      await page.locator("summary").click();
      await page.locator(".foot li").first().waitFor();
      const links = await page.evaluate<string[]>("[...document.links].map(({ href }) => href)");
      expect(links.filter((each) => /^(?:javascript|data):/i.test(each))).toEqual([]);
      expect({ harm, hasRun: await page.evaluate(CANARIES) }).toEqual({ harm, hasRun: false });
      await page.goto(`${sandbox.portalUrl}/portals/self/settings?f=html`);
      expect({ harm, hasRun: await page.evaluate(CANARIES) }).toEqual({ harm, hasRun: false });
      expect({ harm, strange }).toEqual({ harm, strange: [] });
    }
  });

  test("do nothing in an export, which shows what a hidden character hides", async () => {
    const text = HARM.join(" ");
    const reading = readInput(Buffer.from(fileOf(fitting(text), text)));
    const checked = check("-", reading, { cwd: "/", env: {} }, { mayLackPortal: true });
    const folder = folderOf();
    onTestFinished(() => folder.remove());
    writeFileSync(join(folder.path, "preview.html"), previewFile([checked], 0));
    const { page, strange } = await openPage(`file://${folder.path}/preview.html`);
    const home = page.frameLocator("#home");
    await home.locator("dialog .hidden-mark").getByText("U+202E").first().waitFor();
    await home.getByRole("button", { name: "Accept" }).click();
    await home.locator("dialog").waitFor({ state: "detached" });
    await keepPicture(page, "hostile-export");
    expect(await page.evaluate(CANARIES)).toBe(false);
    expect(strange).toEqual([]);
  });
});
