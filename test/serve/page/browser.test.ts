// The page of all portals and that of one, in a browser: what people see, choose and are told.
import { expect, test } from "vitest";
import {
  describeInBrowser,
  faultsOf,
  keepPicture,
  openPage,
  sideways,
} from "../../support/browser.js";
import { fleet, openBoard } from "./open.js";

const LOOKS = [360, 768, 1440].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, height: 900, colorScheme })),
);

describeInBrowser("in a browser", () => {
  test.each(LOOKS)(
    "at $width pixels, $colorScheme, axe finds nothing and nothing scrolls sideways",
    async (looking) => {
      const { url } = await openBoard();
      const { page, strange } = await openPage(url, looking);
      const name = `${looking.width}-${looking.colorScheme}`;
      await page.getByText("Live", { exact: true }).waitFor();
      await page.getByRole("link", { name: "Harbour" }).waitFor();
      await keepPicture(page, `serve-portals-${name}`);
      expect(await faultsOf(page)).toEqual([]);
      await page.getByRole("link", { name: "Northern district" }).click();
      await page.getByRole("heading", { name: "History" }).waitFor();
      await page.frameLocator("#home").getByRole("button", { name: "OK" }).waitFor();
      await page.locator("#serial-3 summary").click();
      await page.screenshot({ path: `test-output/pages/serve-portal-${name}.png`, fullPage: true });
      expect(await faultsOf(page)).toEqual([]);
      expect((await sideways(page)).filter((each) => each > 0)).toEqual([]);
      expect(strange).toEqual([]);
    },
  );
});
void fleet;
