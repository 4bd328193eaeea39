// Wraps a view in a whole document, with a content security policy that permits exactly its own scripts and styles.
import { createHash } from "node:crypto";
import type { Json } from "./json.js";
import { html, toText, trusted, type Html } from "./html.js";

export interface View {
  readonly title: string;
  readonly body: Html;
  readonly style: string;
  readonly script?: string;
  /** For the script, which finds it as JSON in the element "data". */
  readonly data?: Json;
  /** The script may talk to the server that the page came from, and show pages of it in frames. */
  readonly isLive?: boolean;
  /** Another page of the same server may show this one in a frame. */
  readonly isFramed?: boolean;
  /** The style sheets of documents that it holds in frames: these inherit its policy. */
  readonly framedStyles?: readonly string[];
}

export interface Page {
  readonly text: string;
  readonly contentSecurityPolicy: string;
}

/** A page for a server, which sends the policy along. */
export function toPage(view: View): Page {
  return {
    text: documentOf(view),
    contentSecurityPolicy: [
      ...policyOf(view),
      ...(view.isLive ? ["connect-src 'self'", "frame-src 'self'"] : []),
      "form-action 'self'",
      "base-uri 'none'",
      `frame-ancestors ${view.isFramed ? "'self'" : "'none'"}`,
    ].join("; "),
  };
}

/** A document that needs nothing else and brings its policy along: a file to send, or what stands in a frame of one. */
export function toFile(view: View): string {
  const policy = [...policyOf(view), "form-action 'none'", "base-uri 'none'"].join("; ");
  return documentOf(view, html`<meta http-equiv="Content-Security-Policy" content="${policy}" />`);
}

function documentOf(view: View, policy?: Html): string {
  // Joined as strings, because the policy's hashes hold for these exact characters, and a formatter would change a template.
  const style = trusted(`<style>${view.style}</style>`);
  const script = view.script ? trusted(`<script>${view.script}</script>`) : undefined;
  // Within JSON a "<" stands in texts alone, where its number means the same and ends no element.
  const json = view.data === undefined ? "" : JSON.stringify(view.data).replaceAll("<", "\\u003c");
  const data = json && trusted(`<script type="application/json" id="data">${json}</script>`);
  return toText(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          ${policy}
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${view.title}</title>
          ${style}
        </head>
        <body>
          ${view.body} ${data} ${script}
        </body>
      </html> `,
  );
}

function policyOf({ style, script, framedStyles = [] }: View): string[] {
  const styles = [...new Set([style, ...framedStyles].map(hash))];
  return [
    "default-src 'none'",
    `style-src ${styles.join(" ")}`,
    ...(script ? [`script-src ${hash(script)}`] : []),
  ];
}

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}
