// Renders an access notice: the dialog that blocks the portal until an answer, and the page after declining.
import type { AccessNotice } from "../../schemas/names.js";
import { html, type Html, renderText } from "../lib/html.js";

export const ANSWERS = ["accepted", "declined"] as const;
export type Answer = (typeof ANSWERS)[number];

/** The visitor's answer, from the page's address. */
export function answerIn(query: URLSearchParams): { readonly answer?: Answer } {
  const answer = ANSWERS.find((each) => each === query.get("notice"));
  return answer ? { answer } : {};
}

export function isAsked(notice: AccessNotice | undefined): notice is AccessNotice {
  return notice?.enabled === true;
}

// The dialog needs no script: the page makes everything behind it inert, for pointer, keyboard and screen reader. In a
// frame it must not take the focus from the page around it.
export function renderNotice(
  { title, text, buttons }: AccessNotice,
  action: string,
  isFramed = false,
): Html {
  const focus = isFramed ? undefined : html`autofocus`;
  const accept = (word: string) =>
    html`<button class="primary" name="notice" value="accepted" ${focus}>${word}</button>`;
  return html`<div class="veil">
    <dialog open aria-modal="true" aria-labelledby="notice-title" aria-describedby="notice-text">
      <div class="words" tabindex="0" role="group" aria-labelledby="notice-title">
        <h2 id="notice-title" dir="auto">${renderTitle(title)}</h2>
        <div id="notice-text" class="notice-text" dir="auto">${renderText(text)}</div>
      </div>
      <form method="get" action="${action}" class="answers">
        ${
          buttons === "okOnly"
            ? accept("OK")
            : html`<button name="notice" value="declined">Decline</button> ${accept("Accept")}`
        }
      </form>
    </dialog>
  </div>`;
}

/** The same as a picture, which cannot be used. */
export function renderNoticePicture({ title, text, buttons }: AccessNotice): Html {
  return html`<div class="notice">
    <p class="notice-title" dir="auto">${renderTitle(title)}</p>
    <p class="notice-text" dir="auto">${renderText(text)}</p>
    <p class="answers">
      ${
        buttons === "okOnly"
          ? html`<span class="answer primary">OK</span>`
          : html`<span class="answer">Decline</span> <span class="answer primary">Accept</span>`
      }
    </p>
  </div>`;
}

// Settings of a live portal are unchecked.
function renderTitle(title: unknown): Html {
  const hasText = typeof title === "string" && title.trim() !== "";
  return hasText ? renderText(title) : html`Access notice`;
}

export function renderDeclined(action: string): Html {
  return html`<main class="declined">
    <h1>You declined the access notice</h1>
    <p>This portal opens only to visitors who accept its access notice.</p>
    <p><a class="button" href="${action}">Read the notice again</a></p>
  </main>`;
}
