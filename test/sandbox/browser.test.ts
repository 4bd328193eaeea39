// The sandbox in a browser: its home, its sign-in page and its REST directory, as a person uses them.
import { expect, test } from "vitest";
import {
  describeInBrowser,
  faultsOf,
  keepPicture,
  openPage,
  sideways,
} from "../support/browser.js";
import { openSandbox } from "../support/sandbox.js";

const SETTINGS = {
  informationalBanner: {
    text: "Read-only on Saturday.",
    bgColor: "gold",
    fontColor: "black",
    enabled: true,
  },
  anonymousAccessNotice: {
    title: "Terms of use",
    text: "For members and their guests.",
    buttons: "acceptAndDecline",
    enabled: true,
  },
  authenticatedAccessNotice: { title: "Welcome", text: "Hello.", buttons: "okOnly", enabled: true },
};

describeInBrowser("in a browser", () => {
  test.each([
    { width: 1440, colorScheme: "light" },
    { width: 320, colorScheme: "dark" },
  ] as const)(
    "at $width pixels, $colorScheme, somebody declines, accepts, signs in, reads the settings and signs out",
    async (looking) => {
      const sandbox = await openSandbox({ portals: 1 });
      sandbox.change("self", SETTINGS);
      const { page, strange } = await openPage(`${sandbox.url}/`, looking);
      const isFine = async (name: string) => {
        await keepPicture(page, `sandbox-${name}-${looking.width}-${looking.colorScheme}`);
        expect(await faultsOf(page)).toEqual([]);
        expect(await sideways(page)).toEqual([0]);
      };
      // The dialog gives the keyboard the button that most people want.
      const focused = page.locator("dialog button:focus");
      await focused.waitFor();
      await isFine("asked");
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Enter");
      await page.getByText("You declined").waitFor();
      await isFine("declined");
      await page.getByRole("link", { name: "Read the notice again" }).click();
      await focused.waitFor();
      await page.keyboard.press("Enter");
      await page.locator("dialog").waitFor({ state: "detached" });
      await page.getByText("Gallery").waitFor();
      await isFine("home");

      await page.getByRole("link", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await isFine("sign-in");
      await page.getByLabel("Username").fill(sandbox.username);
      await page.getByLabel("Password").fill("wrong");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").getByText("is wrong").waitFor();
      expect(await faultsOf(page)).toEqual([]);
      // A refused form is an answer with an error's status, which the console notes.
      await expect.poll(() => strange).toEqual([expect.stringContaining("401")]);
      strange.length = 0;
      await page.getByLabel("Username").fill(sandbox.username);
      await page.getByLabel("Password").fill(sandbox.password);
      await page.keyboard.press("Enter");
      await page
        .getByRole("dialog", { name: "Welcome" })
        .getByRole("button", { name: "OK" })
        .click();
      await page.locator("dialog").waitFor({ state: "detached" });
      await page.getByText("Organization").waitFor();

      await page.getByRole("link", { name: "Settings", exact: true }).click();
      await page.getByRole("heading", { name: "Settings" }).waitFor();
      await isFine("settings");
      sandbox.change("self", { informationalBanner: { text: "Closed", enabled: true } });
      await page.getByRole("link", { name: "Home" }).click();
      await page.getByText("Closed").waitFor();
      await page.getByRole("link", { name: "Sign out" }).click();
      await page.getByRole("link", { name: "Sign in" }).waitFor();
      expect(strange).toEqual([]);
    },
  );
});
