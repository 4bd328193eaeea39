// An access notice → the dialog that stands before the portal until a visitor answers, and the page for one who declined.
import type { AccessNotice } from "../catalog/names.js";
import { html, type Html } from "./html.js";

export type Answer = "accepted" | "declined";

/** The query parameter by which a visitor's answer reaches the page's server. */
export const ANSWER = "notice";

export function isAsked(notice: AccessNotice | undefined): notice is AccessNotice {
  return notice?.enabled === true;
}

// The dialog needs no script: the page sets all behind it inert, which keeps pointer, keyboard and reader out.
export function renderNotice(notice: AccessNotice, action: string): Html {
  const buttons =
    notice.buttons === "okOnly"
      ? html`<button class="primary" name="${ANSWER}" value="accepted" autofocus>OK</button>`
      : html`<button name="${ANSWER}" value="declined">Decline</button>
          <button class="primary" name="${ANSWER}" value="accepted" autofocus>Accept</button>`;
  return html`<div class="veil">
    <dialog open aria-modal="true" aria-labelledby="notice-title" aria-describedby="notice-text">
      <h2 id="notice-title" dir="auto">${textOf(notice.title) || "Access notice"}</h2>
      <div id="notice-text" class="notice-text" dir="auto" tabindex="0">${textOf(notice.text)}</div>
      <form method="get" action="${action}" class="answers">${buttons}</form>
    </dialog>
  </div>`;
}

// Settings read from a portal have not been checked.
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function renderDeclined(action: string): Html {
  return html`<main class="declined">
    <h1>You declined the access notice</h1>
    <p>This portal opens only to visitors who accept its access notice.</p>
    <p><a class="button" href="${action}">Read the notice again</a></p>
  </main>`;
}
