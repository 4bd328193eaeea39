// One plan with a change of every kind: set anew, set over, default, adopted, released; value, text and list.
import { changeOf, planOf, resultOf } from "./results.js";

const LONG =
  "This portal is for members of Example Organisation and their guests. By entering you agree to its terms.";
const REQUEST = {
  parameters: ["informationalBanner", "anonymousAccessNotice"],
  settings: {
    informationalBanner: {
      text: "Read-only on Saturday.",
      bgColor: "#b30000",
      fontColor: "white",
      enabled: true,
    },
    anonymousAccessNotice: {
      title: "Terms of use",
      text: LONG,
      buttons: "acceptAndDecline",
      enabled: true,
    },
  },
};
const CHANGES = [
  changeOf("anonymousAccessNotice.title", "Terms", "Terms of use"),
  changeOf("anonymousAccessNotice.text", LONG.replace("guests", "partners"), LONG),
  changeOf("anonymousAccessNotice.buttons", "okOnly", "acceptAndDecline"),
  changeOf("informationalBanner.text", null, "Read-only on Saturday."),
  changeOf("informationalBanner.bgColor", "#0d5f63", "#b30000", {
    notes: [
      {
        code: "drift",
        message: 'Changed on the portal since the last apply (was "#b30000").',
      },
    ],
  }),
  changeOf(
    "portalConfigProperties.footerLinks",
    [
      { title: "Terms", url: "https://www.example.org/terms" },
      { title: "Old", url: "https://www.example.org/old" },
      { title: "Help", url: "https://www.example.org/help" },
    ],
    [
      { title: "Terms", url: "https://www.example.org/terms-of-use" },
      { title: "Help", url: "https://www.example.org/help" },
      { title: "Contact", email: "gis@example.org", type: "contactUs" },
    ],
  ),
  changeOf("portalConfigProperties.tokenExpiration", 60, 120, { action: "default" }),
  changeOf("blockBetaApps", false, false, { action: "adopt" }),
  changeOf("aiAssistantsEnabled", true, true, {
    action: "release",
    place: null,
    notes: [
      {
        code: "undo",
        message: "It is left as it is and is no longer managed.",
        help: 'To restore the documented default, write under "aiAssistantsEnabled":\n  enabled: !default',
      },
    ],
  }),
] as const;

export const EVERY_KIND = resultOf(planOf(CHANGES, { request: REQUEST }));
