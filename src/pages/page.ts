// A view → a whole document, and the content security policy that lets it do exactly what it holds and nothing else.
import { createHash } from "node:crypto";
import { html, toText, trusted, type Html } from "./html.js";

export interface View {
  readonly title: string;
  readonly body: Html;
  readonly style: string;
  readonly script?: string;
  /** The script may talk to the server that the page came from. */
  readonly isLive?: boolean;
}

export interface Page {
  readonly text: string;
  readonly contentSecurityPolicy: string;
}

export function toPage(view: View): Page {
  // Joined as strings, because the policy's hashes hold for these very characters and a formatter lays templates out anew.
  const style = trusted(`<style>${view.style}</style>`);
  const script = view.script ? trusted(`<script>${view.script}</script>`) : undefined;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${view.title}</title>
        ${style}
      </head>
      <body>
        ${view.body} ${script}
      </body>
    </html> `;
  return {
    text: toText(document),
    contentSecurityPolicy: [
      "default-src 'none'",
      `style-src ${hash(view.style)}`,
      ...(view.script ? [`script-src ${hash(view.script)}`] : []),
      ...(view.isLive ? ["connect-src 'self'"] : []),
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
  };
}

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}
