// The preview in a browser: what people see, do and are spared.
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  describeInBrowser,
  faultsOf,
  keepPicture,
  openPage,
  sideways,
} from "../support/browser.js";
import { accept, choose, look, unfold } from "./look.js";
import { openPreview, PORTAL } from "./open.js";

async function tabTo(page: Page, wanted: Locator) {
  for (let presses = 0; presses < 8; presses++) {
    await page.keyboard.press("Tab");
    if (await wanted.evaluate((each) => each === each.ownerDocument.activeElement)) return;
  }
  throw new Error("The keyboard does not get there.");
}

/** Each width and each colour scheme once: a layout has one width, a contrast one scheme. */
const LOOKS = [
  { width: 1440, height: 900, colorScheme: "light" },
  { width: 320, height: 640, colorScheme: "dark" },
] as const;

describeInBrowser("in a browser", () => {
  test.each(LOOKS)(
    "at $width pixels, $colorScheme, axe finds nothing and nothing scrolls sideways",
    async (looking) => {
      const { url } = await openPreview();
      const { page, home, strange } = await look(url, looking);
      const name = `preview-${looking.width}-${looking.colorScheme}`;
      await home.getByRole("button", { name: "Accept" }).waitFor();
      await keepPicture(page, `${name}-asked`);
      expect(await faultsOf(page)).toEqual([]);
      await accept(home);
      await home.locator("summary").click();
      await keepPicture(page, name);
      expect(await faultsOf(page)).toEqual([]);
      await unfold(page);
      await keepPicture(page, `${name}-choices`);
      expect(await faultsOf(page)).toEqual([]);
      for (const screen of ["narrow", "wide"]) {
        await page.getByRole("radio", { name: screen }).check();
        expect((await sideways(page)).filter((each) => each > 0)).toEqual([]);
      }
      expect(strange).toEqual([]);
    },
  );

  test("follows the file as it is edited, shows its errors, and shows them no more", async () => {
    const { url, write, replace } = await openPreview();
    const { page, home, strange } = await look(url);
    await accept(home);
    write("portal.yaml", PORTAL.replace("Read-only on Saturday", "Closed on Sunday"));
    await home.getByText("Closed on Sunday").waitFor();
    // Whoever accepted the notice is not asked again because the banner changed.
    expect(await home.locator("dialog").count()).toBe(0);

    replace("portal.yaml", PORTAL.replace("okOnly", "okonly"));
    await page.getByText("portal.yaml:20:14").waitFor();
    await page.getByText('"okonly" is not a value').waitFor();
    await page.getByText("1 error. Showing what the file said before.").waitFor();
    expect(await page.locator("#stage.before").count()).toBe(1);
    await home.getByText("Closed on Sunday").waitFor();
    await keepPicture(page, "preview-error");
    expect(await faultsOf(page)).toEqual([]);

    replace("portal.yaml", PORTAL);
    await home.getByText("Read-only on Saturday").waitFor();
    await page.locator("#problems").waitFor({ state: "hidden" });
    await page.getByText("No problems.").waitFor();
    expect(await page.locator("#stage.before").count()).toBe(0);
    expect(strange).toEqual([]);
  });

  test("the measured contrast is dimmed with all the rest while the file is wrong", async () => {
    const { url, replace } = await openPreview();
    const { page } = await look(url);
    const looks = () =>
      page.evaluate<string[]>(
        `[".ratio", ".passes", ".sample"].map((each) => {
          const { color, opacity } = getComputedStyle(document.querySelector("#facts " + each));
          return color + opacity;
        })`,
      );
    const before = await looks();
    replace("portal.yaml", PORTAL.replace("okOnly", "okonly"));
    await page.getByText("As the file was before its errors.").waitFor();
    const dimmed = await looks();
    expect(dimmed.filter((each, at) => each === before[at])).toEqual([]);
    replace("portal.yaml", PORTAL);
    await page.getByText("No problems.").waitFor();
    expect(await looks()).toEqual(before);
  });

  test("at 390 pixels the choices fold away behind what is chosen", async () => {
    const { url } = await openPreview({ "one.yaml": PORTAL, "two.yaml": PORTAL });
    const { page, strange } = await look(url, { width: 390, height: 844 });
    const fold = page.getByRole("button", { name: "one.yaml · anonymous · wide", expanded: false });
    await fold.waitFor();
    const top = async () => (await page.locator("#stage").boundingBox())?.y ?? Infinity;
    expect(await page.getByRole("radio", { name: "member" }).isVisible()).toBe(false);
    expect(await top()).toBeLessThan(150);
    await fold.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("radio", { name: "member" }).check();
    await page.getByRole("button", { name: "one.yaml · member · wide", expanded: true }).click();
    expect(await page.getByRole("radio", { name: "member" }).isVisible()).toBe(false);
    expect((await sideways(page)).filter((each) => each > 0)).toEqual([]);
    expect(strange).toEqual([]);
  });

  test("asks again once the notice is reworded", async () => {
    const { url, replace } = await openPreview();
    const { home } = await look(url);
    await accept(home);
    replace("portal.yaml", PORTAL.replace("Terms of use", "New terms"));
    await home.getByRole("dialog", { name: "New terms" }).waitFor();
  });

  test("the notice for visitors is accepted and declined, the one for members taken note of", async () => {
    const { url } = await openPreview();
    const { page, home, strange } = await look(url);
    const dialog = home.getByRole("dialog", { name: "Terms of use" });
    await dialog.getByRole("button", { name: "Decline" }).click();
    await home.getByText("You declined the access notice").waitFor();
    await keepPicture(page, "preview-declined");
    expect(await faultsOf(page)).toEqual([]);
    await home.getByRole("link", { name: "Read the notice again" }).click();
    await accept(home);
    await home.getByText("Gallery").waitFor();

    await choose(page, "member");
    const welcome = home.getByRole("dialog", { name: "Welcome back" });
    await welcome.waitFor();
    expect(await welcome.getByRole("button").allTextContents()).toEqual(["OK"]);
    await accept(home, "OK");
    await home.getByText("Content", { exact: true }).waitFor();
    expect(await home.getByText("Organization", { exact: true }).count()).toBe(0);

    await choose(page, "administrator");
    await accept(home, "OK");
    await home.getByText("Organization", { exact: true }).waitFor();
    expect(strange).toEqual([]);
  });

  test("the keyboard alone is enough", async () => {
    const { url } = await openPreview();
    const { page, home } = await look(url);
    const { keyboard } = page;
    const focused = () =>
      page.evaluate("document.activeElement.value ?? document.activeElement.id") as Promise<string>;
    for (const name of ["0", "anonymous", "wide"]) {
      await keyboard.press("Tab");
      expect(await focused()).toBe(name);
    }
    await keyboard.press("ArrowRight");
    expect(await focused()).toBe("narrow");
    await page.locator('#stage[data-screen="narrow"]').waitFor();
    await keyboard.press("Shift+Tab");
    await keyboard.press("ArrowRight");
    expect(await focused()).toBe("member");
    await home.getByRole("dialog", { name: "Welcome back" }).waitFor();
    // Into the frame, over the words of the notice, which may scroll.
    await tabTo(page, home.getByRole("button", { name: "OK" }));
    await keyboard.press("Enter");
    await home.locator("dialog").waitFor({ state: "detached" });
    await tabTo(page, home.locator("summary"));
    await keyboard.press("Enter");
    await home.getByText("StoryMaps").waitFor();
  });

  test("a file that was never right shows what is wrong, and its home once it is right", async () => {
    const { url, write } = await openPreview({ "portal.yaml": "" });
    const { page, strange } = await openPage(`${url}/`);
    await page.getByText("Nothing to show until the file is right.").waitFor();
    await page.getByText('"portal.yaml" is empty.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    write("portal.yaml", PORTAL);
    await page.frameLocator("#home").getByRole("heading", { name: "Terms of use" }).waitFor();
    expect(strange).toEqual([]);
  });

  test("follows the files that it extends and refers to, also those that are not there yet", async () => {
    const { url, write } = await openPreview(
      {
        "portal.yaml": 'extends: _base.yaml\ntargetVersion: "11.5"\n',
        "_base.yaml": PORTAL.replace("Terms of use", "${file:title.txt}"),
      },
      ["portal.yaml"],
    );
    const { page } = await openPage(`${url}/`);
    await page.getByText('There is no file "title.txt".').waitFor();
    write("title.txt", "House rules\n");
    const home = page.frameLocator("#home");
    await home.getByText("House rules").waitFor();
    write("title.txt", "Rules of the house\n");
    await home.getByText("Rules of the house").waitFor();
    write("_base.yaml", PORTAL);
    await home.getByRole("dialog", { name: "Terms of use" }).waitFor();
  });

  test("offers a choice among several files, and marks the one that is wrong", async () => {
    const { url, write } = await openPreview({
      "one.yaml": PORTAL,
      "two.yaml": PORTAL.replace("Northern district", "Southern district"),
    });
    const { page, home } = await look(url);
    await page.getByLabel("File").selectOption("two.yaml");
    await home.getByText("Southern district").first().waitFor();
    write("one.yaml", "targetVersion: [\n");
    await page.getByRole("option", { name: "✕ one.yaml" }).waitFor({ state: "attached" });
    expect(await page.getByLabel("File").inputValue()).toBe("1");
    await page.getByText("No problems.").waitFor();
    await page.reload();
    await home.getByText("Southern district").first().waitFor();
    await keepPicture(page, "preview-two-files");
    expect(await faultsOf(page)).toEqual([]);
  });

  test("reports banner colours that cannot be read, and the nearest that can", async () => {
    const { url } = await openPreview({
      "portal.yaml": PORTAL.replace("fontColor: white", "fontColor: salmon"),
    });
    const { page, home } = await look(url);
    await page.getByText("AA needs 4.5:1").waitFor();
    await page.getByText('fontColor: "#ffbdb3"').waitFor();
    expect(await page.locator(".swatch").count()).toBe(2);
    await accept(home);
    await keepPicture(page, "preview-contrast");
    expect(await faultsOf(page)).toEqual(["color-contrast (serious) at aside > p"]);
  });

  test("says when it has ended", async () => {
    const { page } = await (async () => {
      const { url } = await openPreview();
      return look(url);
    })();
    await page.route("**/events", (route) => route.abort());
    await page.reload();
    await page.getByText("The preview has ended.").waitFor();
  });
});
