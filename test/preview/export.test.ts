// The exported file in a browser: the same as the live page, without any server.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  describeInBrowser,
  faultsOf,
  keepPicture,
  openPage,
  sideways,
} from "../support/browser.js";
import { folderOf, lintel } from "../support/run.js";
import { unfold } from "./look.js";
import { PORTAL } from "./open.js";

async function exported(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = folderOf(files);
  onTestFinished(() => folder.remove());
  const words = ["preview", ...Object.keys(files), "--output", "html=out/preview.html"];
  const ran = await lintel(words, { cwd: folder.path });
  expect(ran).toMatchObject({ exit: 0, stderr: "" });
  return join(folder.path, "out/preview.html");
}

test("names every script and style by its hash, and no address to ask", async () => {
  const text = readFileSync(await exported({ "portal.yaml": PORTAL }), "utf8");
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? "";
  expect(policy).toMatch(/^default-src &#39;none&#39;; style-src &#39;sha256-/);
  expect(policy).not.toMatch(/unsafe|connect|frame-ancestors/);
  expect(text).not.toMatch(/<link|<img|@import|url\(/);
});

test("is the same for the same files", async () => {
  const files = { "portal.yaml": PORTAL };
  const [one, other] = [await exported(files), await exported(files)];
  expect(readFileSync(one, "utf8")).toBe(readFileSync(other, "utf8"));
});

describeInBrowser("in a browser", () => {
  test.each([
    { width: 1440, colorScheme: "dark" },
    { width: 320, colorScheme: "light" },
  ] as const)("at $width pixels, $colorScheme, it works from a file", async (looking) => {
    const path = await exported({
      "one.yaml": PORTAL,
      "two.yaml": PORTAL.replace("Northern district", "Southern district"),
    });
    const { page, strange } = await openPage(`file://${path}`, looking);
    const home = page.frameLocator("#home");
    const dialog = home.getByRole("dialog", { name: "Terms of use" });
    await dialog.getByRole("button", { name: "Decline" }).click();
    await home.getByText("You declined").waitFor();
    await home.getByRole("link", { name: "Read the notice again" }).click();
    await dialog.waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Accept" }).click();
    await home.locator("dialog").waitFor({ state: "detached" });
    expect(await faultsOf(page)).toEqual([]);
    expect((await sideways(page)).filter((each) => each > 0)).toEqual([]);

    await unfold(page);
    await page.getByLabel("File").selectOption("two.yaml");
    await page.getByRole("radio", { name: "member" }).check();
    await home.getByRole("dialog", { name: "Welcome back" }).getByRole("button").click();
    await home.getByRole("heading", { name: "Southern district" }).waitFor();
    await keepPicture(page, `export-${looking.width}-${looking.colorScheme}`);
    await page.reload();
    await home.getByRole("dialog", { name: "Welcome back" }).waitFor();
    expect(await page.getByLabel("File").inputValue()).toBe("1");
    expect(strange).toEqual([]);
  });
});
