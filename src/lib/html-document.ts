// Wraps a view in a complete document, with a content security policy that allows exactly its scripts and styles.
import { createHash } from "node:crypto";
import type { Json } from "./json.js";
import { html, toText, trusted, type Html } from "./html.js";

export interface View {
  readonly title: string;
  readonly body: Html;
  readonly style: string;
  readonly script?: string;
  /** Data for the script, as JSON in the element "data". */
  readonly data?: Json;
  /** The script may call the page's own server, and show its pages in frames. */
  readonly isLive?: boolean;
  /** Another page of the same server may show this page in a frame. */
  readonly isFramed?: boolean;
  /** The style sheets of framed documents, which inherit the policy. */
  readonly framedStyles?: readonly string[];
}

export interface Page {
  readonly text: string;
  readonly contentSecurityPolicy: string;
}

/** A page for a server, which sends the policy as a header. */
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

/** A self-contained document with its policy inside: a file, or the content of a frame. */
export function toFile(view: View): string {
  const policy = [...policyOf(view), "form-action 'none'", "base-uri 'none'"].join("; ");
  return documentOf(view, html`<meta http-equiv="Content-Security-Policy" content="${policy}" />`);
}

function documentOf(view: View, policy?: Html): string {
  // Concatenated, because the policy's hashes are for exactly these characters, and a formatter would change a template.
  const style = trusted(`<style>${view.style}</style>`);
  const script = view.script ? trusted(`<script>${view.script}</script>`) : undefined;
  // In JSON, "<" occurs only in texts, where its escape means the same and ends no element.
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
