// The portal's home for each visitor, from settings that nobody has checked.
import { describe, expect, test } from "vitest";
import { toText } from "../../src/lib/html.js";
import { home, type Viewer } from "../../src/preview/home.js";
import { renderContrast } from "../../src/preview/contrast.js";
import { appsOf } from "../../src/preview/launcher.js";
import { toPage } from "../../src/lib/html-document.js";
import type { Settings } from "../../schemas/names.js";

const show = (settings: unknown, viewer: Viewer = "anonymous", answer?: "accepted" | "declined") =>
  toPage(
    home({
      settings: settings as Settings,
      viewer,
      name: "A portal",
      here: "/",
      ...(answer && { answer }),
    }),
  ).text;

const notice = (text: string, more = {}) => ({ title: "Terms", text, enabled: true, ...more });

describe("the contrast of a banner", () => {
  const shown = (bgColor: string, fontColor: string) =>
    toText(renderContrast({ bgColor, fontColor })).replace(/\s+/g, " ");

  test("names the ratio that WCAG requires, and the nearest colours that reach it", () => {
    const text = shown("#b30000", "salmon");
    expect(text).toContain("2.87:1");
    expect(text).toContain("AA needs 4.5:1");
    expect(text).toContain('fontColor: "#ffbdb3"');
    expect(text).toContain('bgColor: "#7c0000"');
    expect(shown("white", "#767676")).toMatch(/AA passes.*AAA needs 7:1.*reach AAA/);
    expect(shown("white", "black")).not.toContain("nearest");
  });

  test("is not shown for an unknown colour, and is black on white without colours", () => {
    expect(shown("rgb(0 0 0)", "white")).toContain("“rgb(0 0 0)” is neither");
    expect(toText(renderContrast({ text: "x" }))).toContain("21.00:1");
  });
});

describe("the home page", () => {
  test("shows an enabled banner in its colours", () => {
    const page = show({
      informationalBanner: {
        text: "Read-only",
        bgColor: "#b30000",
        fontColor: "white",
        enabled: true,
      },
    });
    expect(page).toContain("Read-only");
    expect(page).toContain("background: #b30000; color: white;");
  });

  test.each(["red; } body { display: none", "url(//example.com)", "</style><script>", "#12", 7])(
    "paints a banner of the colour %j as one that is not known",
    (bgColor) => {
      const page = show({ informationalBanner: { text: "x", bgColor, enabled: true } });
      expect(page).toMatch(
        /\.banner \{ background: repeating-linear-gradient[^;]*; color: black; \}/,
      );
      expect(page.match(/<\/style>/g)).toHaveLength(1);
    },
  );

  test.each([
    ["is not enabled", { text: "Read-only", enabled: false }],
    ["has no text", { text: " ", enabled: true }],
    ["was never set", undefined],
  ])("shows no banner that %s", (_, informationalBanner) => {
    expect(show({ informationalBanner })).not.toContain('class="banner"');
  });

  test.each([
    ["anonymous", "For strangers"],
    ["member", "For members"],
    ["administrator", "For members"],
  ] as const)("asks an %s visitor with the notice meant for that visitor", (viewer, text) => {
    const page = show(
      {
        anonymousAccessNotice: notice("For strangers"),
        authenticatedAccessNotice: notice("For members"),
      },
      viewer,
    );
    expect(page.match(/For (strangers|members)/g)).toEqual([text]);
    expect(page).toMatch(/<div class="site" inert>/);
  });

  test("does not block visitors when the notice is not enabled", () => {
    for (const enabled of [false, undefined]) {
      expect(show({ anonymousAccessNotice: notice("x", { enabled }) })).not.toContain("<dialog");
    }
  });

  test("shows given links and apps, says which are unknown, and says that an empty list is empty", () => {
    const page = (advanced: object, unsaid?: string) => {
      const settings = { portalConfigProperties: advanced } as Settings;
      const visit = { settings, viewer: "anonymous", name: "A portal", here: "/" } as const;
      return toPage(home(unsaid === undefined ? visit : { ...visit, unsaid })).text;
    };
    expect(page({}, "unknown.")).toContain("Footer links: unknown.");
    expect(page({}, "unknown.")).toContain("Apps: unknown.");
    expect(page({ webEditorEnabled: true }, "unknown.")).toContain("Others: unknown.");
    for (const text of [page({}), page({ footerLinks: [], showInAppLauncher: [] }, "unknown.")]) {
      expect(text).toContain("No links.");
      expect(text).toContain("The settings list no apps.");
      expect(text).not.toContain("unknown.");
    }
  });

  test("counts among the apps what a property of its own switches on", () => {
    const advanced = { showInAppLauncher: ["Maps"], webEditorEnabled: true, surveyUrl: "" };
    expect(appsOf(advanced).map(({ title }) => title)).toEqual(["Maps", "Web Editor"]);
  });

  test.each([
    ["webEditorEnabled", "Web Editor"],
    ["tpsEnabled", "Topographic production"],
    ["dataPipelinesEnabled", "Data pipelines"],
  ])("%s: false hides the application's entry, also where a list names it", (property, title) => {
    const titles = (isOn?: boolean) =>
      appsOf({ showInAppLauncher: ["Maps", title], [property]: isOn }).map((each) => each.title);
    expect([titles(), titles(true), titles(false)]).toEqual([
      ["Maps", title],
      ["Maps", title],
      ["Maps"],
    ]);
    expect(appsOf({ [property]: true })).toEqual([{ title }]);
  });

  test("leads to the scene viewer unless sceneViewerEnabled is false", () => {
    const scene = (sceneViewerEnabled?: boolean) =>
      show({ portalConfigProperties: { sceneViewerEnabled } }).includes(">Scene<");
    expect([scene(), scene(true), scene(false)]).toEqual([true, true, false]);
  });

  test("shows the footer's links on every page, also after declining", () => {
    const settings = {
      anonymousAccessNotice: notice("x"),
      portalConfigProperties: { footerLinks: [{ title: "Legal", url: "https://www.example.org" }] },
    };
    for (const answer of [undefined, "accepted", "declined"] as const) {
      expect(show(settings, "anonymous", answer)).toMatch(/<footer[^]*Legal/);
    }
  });

  test("offers Accept and Decline, or OK alone", () => {
    const both = show({ anonymousAccessNotice: notice("x", { buttons: "acceptAndDecline" }) });
    expect(both).toMatch(/>Decline</);
    expect(both).toMatch(/>Accept</);
    const one = show({ anonymousAccessNotice: notice("x", { buttons: "okOnly" }) });
    expect(one).toMatch(/>OK</);
    expect(one).not.toMatch(/>Decline</);
  });

  test("opens after the notice is accepted, and explains when it was declined", () => {
    const settings = { anonymousAccessNotice: notice("x") };
    expect(show(settings, "anonymous", "accepted")).not.toMatch(/<dialog|inert/);
    const declined = show(settings, "anonymous", "declined");
    expect(declined).toContain("You declined the access notice");
    expect(declined).not.toContain("Gallery");
  });

  test("keeps the lines of a notice and all of its 100 kB", () => {
    const text = `First\n\nSecond <b>\n${"x".repeat(100_000)}`;
    const page = show({ anonymousAccessNotice: notice(text) });
    expect(page).toContain(`>${text.replace("<b>", "&lt;b&gt;")}</div>`);
  });

  test("hides the organisation's page from members where only administrators may see it", () => {
    const settings = { portalConfigProperties: { restrictOrganizationPageToAdmin: true } };
    expect(show(settings, "member")).not.toContain("Organization");
    expect(show(settings, "administrator")).toContain("Organization");
    expect(show({}, "member")).toContain("Organization");
  });

  test("lists the apps that the settings name", () => {
    const advanced = { showInAppLauncher: ["<b>Maps"], surveyUrl: "https://survey.example.com" };
    const own = { ...advanced, iotViewerUrl: "https://iot.example.com:7443/iot" };
    const page = show({ portalConfigProperties: own });
    expect(page).toContain('href="https://iot.example.com:7443/iot"');
    expect(page).toContain("&lt;b&gt;Maps");
    expect(page).toContain('href="https://survey.example.com/"');
  });

  test("renders with any settings", () => {
    for (const odd of [null, 1, "x", [], {}, [null], { enabled: true, text: {}, title: [] }]) {
      const settings = {
        anonymousAccessNotice: odd,
        informationalBanner: odd,
        portalConfigProperties: odd,
      };
      expect(show(settings)).toContain("</html>");
      const advanced = { footerLinks: odd, showInAppLauncher: odd, surveyUrl: odd };
      expect(show({ portalConfigProperties: advanced })).toContain("</html>");
      const links = { footerLinks: [{ title: odd, url: odd, email: odd }] };
      expect(show({ portalConfigProperties: links })).toContain("</html>");
    }
  });

  test("shows a footer link that could run a script as plain text", () => {
    const footerLinks = [{ title: "Help", url: "javascript:alert(1)" }];
    const page = show({ portalConfigProperties: { footerLinks } });
    expect(page).toMatch(/<span[^>]*>Help<\/span>/);
    expect(page).not.toContain("javascript:");
  });

  test("needs no style attribute and no script", () => {
    const page = show({
      informationalBanner: { text: "x", bgColor: "red", fontColor: "white", enabled: true },
      anonymousAccessNotice: notice("x"),
    });
    expect(page).not.toMatch(/ style=| on\w+=|<script/);
  });
});
