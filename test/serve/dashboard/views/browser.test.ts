// The pages of the dashboard in a browser: accessible, narrow, copied from and used with the keyboard.
import { expect, onTestFinished, test } from "vitest";
import { describeInBrowser, faultsOf, openPage, sideways } from "../../../support/browser.js";
import { serveSamples } from "../sample-server.js";
import { NOW, PAGES } from "./sample.js";

async function open(path: string, looking: Parameters<typeof openPage>[1] = {}) {
  const { origin, close } = await serveSamples();
  onTestFinished(close);
  const { page, strange } = await openPage(origin + path, { ...looking, atMs: NOW });
  await page.getByText("Live", { exact: true }).waitFor();
  return { page, strange };
}

describeInBrowser("in a browser", () => {
  test.each(
    Object.keys(PAGES).flatMap((path) => [
      { path, width: 1440, colorScheme: "light" as const },
      { path, width: 400, colorScheme: "dark" as const },
    ]),
  )(
    "$path at $width pixels, $colorScheme: axe finds nothing, nothing scrolls sideways",
    async (looking) => {
      const { page, strange } = await open(looking.path, looking);
      // What is folded is looked at, too.
      await page.evaluate(
        "for (const each of document.querySelectorAll('details')) each.open = true",
      );
      expect(await faultsOf(page)).toEqual([]);
      expect((await sideways(page)).filter((each) => each > 0)).toEqual([]);
      expect(strange).toEqual([]);
    },
  );

  test("copies a command with the keyboard, and the button confirms it", async () => {
    const { page } = await open("/portals/in-sync");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(page.url().replace("in-sync", "pending"));
    const button = page.getByRole("button", { name: "Copy: lintel plan portals/north.yaml" });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.locator("#announcement", { hasText: "Copied: lintel plan" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      "lintel plan portals/north.yaml",
    );
  });

  test("two applies are compared with the keyboard, and the address keeps the choice", async () => {
    const { page } = await open("/portals/pending");
    await page.getByLabel("Compare", { exact: true }).selectOption("3");
    await page.getByRole("button", { name: "Compare", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "From apply 3 to apply 4: 1 setting" }).waitFor();
    expect(new URL(page.url()).search).toBe("?from=3&to=4");
    expect(await page.getByLabel("Compare", { exact: true }).inputValue()).toBe("3");
  });

  test("a chip of the calendar leads to the window in the list", async () => {
    const { page } = await open("/calendar");
    await page.locator(".cell a", { hasText: "Freeze" }).first().click();
    const target = await page.evaluate<string>("document.querySelector(':target').textContent");
    expect(target).toContain("America/New_York");
  });
});
