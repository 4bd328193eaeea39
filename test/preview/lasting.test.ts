// The preview that stays open for a day, in a browser: servers end, files break, and people go to and fro.
import { expect, test } from "vitest";
import { describeInBrowser, faultsOf, keepPicture } from "../support/browser.js";
import { accept, choose, look } from "./look.js";
import { openPreview, PORTAL } from "./open.js";

describeInBrowser("in a browser", () => {
  test("comes back with the server, for any choice in between", async () => {
    const one = await openPreview({ "one.yaml": PORTAL, "two.yaml": PORTAL });
    const { page, home, strange } = await look(one.url);
    await page.getByLabel("File").selectOption("two.yaml");
    await one.close();
    await page.getByText("The preview has ended.").waitFor();
    await page.getByRole("radio", { name: "member" }).check();
    await keepPicture(page, "preview-ended");
    expect(await page.getByText("The preview has ended.").count()).toBe(1);
    expect(await faultsOf(page)).toEqual([]);

    await openPreview({ "one.yaml": PORTAL }, ["one.yaml"], Number(new URL(one.url).port));
    await page.getByText("No problems.").waitFor();
    await home.getByRole("dialog", { name: "Welcome back" }).waitFor();
    expect(await page.getByRole("option").allTextContents()).toEqual(["one.yaml"]);
    // What the console says of the stream that broke off is no fault of the page.
    expect(strange.filter((each) => !/ERR_|Failed to load resource/.test(each))).toEqual([]);
  });

  test("what is chosen and answered in it leaves no steps for the way back", async () => {
    const { url } = await openPreview();
    const { page, home } = await look(url);
    await page.waitForLoadState();
    const steps = () => page.evaluate<number>("history.length");
    const before = await steps();
    await accept(home);
    await choose(page, "member");
    await accept(home, "OK");
    await home.getByRole("link", { name: "Home" }).click();
    await home.getByRole("dialog", { name: "Welcome back" }).waitFor();
    expect(await steps()).toBe(before);
  });

  test("stops listening while hidden, and catches up when visible", async () => {
    const { url, write } = await openPreview();
    const { page, home } = await look(url);
    const turn = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));`);
    await turn(true);
    write("portal.yaml", PORTAL.replace("Terms of use", "New terms"));
    const asked = page.waitForRequest("**/events");
    await turn(false);
    await asked;
    await home.getByRole("dialog", { name: "New terms" }).waitFor();
  });

  test("warnings stand beside or below the picture, errors above it", async () => {
    const warned = PORTAL.replace("https:", "http:").replace(
      "fontColor: white",
      "fontColor: salmon",
    );
    const { url, write } = await openPreview({ "portal.yaml": warned });
    const { page, home } = await look(url, { width: 1000, height: 800 });
    await page.locator("#warnings .problem").first().waitFor();
    const topOf = async (id: string) => (await page.locator(id).boundingBox())?.y ?? Number.NaN;
    expect(await topOf("#warnings")).toBeGreaterThan(await topOf("#glass"));
    await accept(home);
    await keepPicture(page, "preview-warnings");
    write("portal.yaml", warned.replace("okOnly", "okonly"));
    await page.locator("#problems .problem").first().waitFor();
    expect(await topOf("#problems")).toBeLessThan(await topOf("#glass"));
  });

  test("says that a banner is off, and of errors that the rest is from before", async () => {
    const off = PORTAL.replace("enabled: true", "enabled: false").replace("white", "salmon");
    const { url, write } = await openPreview({ "portal.yaml": off });
    const { page } = await look(url);
    await page.getByText("Not shown now: switched off.").waitFor();
    write("portal.yaml", off.replace("okOnly", "okonly"));
    await page.getByText("As the file was before its errors.").waitFor();
    expect(await page.locator("#facts.before").count()).toBe(1);
    await keepPicture(page, "preview-off-before");
    expect(await faultsOf(page)).toEqual([]);
  });

  test("counts the apps that the launcher lists, and leaves it open as the file changes", async () => {
    const { url, write } = await openPreview();
    const { page, home } = await look(url);
    await accept(home);
    await home.locator("summary").click();
    await home.locator("details[open]").waitFor();
    write("portal.yaml", PORTAL.replace("    showIn", "    webEditorEnabled: true\n    showIn"));
    await home.locator("details[open]").getByText("Web Editor").waitFor();
    await page.locator(".facts div", { hasText: "App launcher" }).getByText("4").waitFor();
  });
});
