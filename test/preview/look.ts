// A preview in a browser for a test, and what a person does in it.
import type { FrameLocator, Page } from "playwright-core";
import { openPage, type Looking } from "../support/browser.js";

export async function look(url: string, looking: Looking = {}) {
  const watched = await openPage(`${url}/`, looking);
  const home = watched.page.frameLocator("#home");
  await home.locator(".site").waitFor();
  return { ...watched, home };
}

/** Where there is little room, the choices are folded away. */
export async function unfold(page: Page) {
  const fold = page.locator("#fold");
  if ((await fold.isVisible()) && (await fold.getAttribute("aria-expanded")) === "false") {
    await fold.click();
  }
}

export async function choose(page: Page, name: string) {
  await page.getByRole("radio", { name }).check();
  await page.frameLocator(`#home[title$="${name}"]`).locator(".site").waitFor();
}

/** The home stands behind the dialog too: only when that has gone has the answer arrived. */
export async function accept(home: FrameLocator, word = "Accept") {
  await home.getByRole("button", { name: word }).click();
  await home.locator("dialog").waitFor({ state: "detached" });
}
