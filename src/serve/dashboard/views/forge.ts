// Links commits and files to the forge that hosts the repository.
import { html, renderText, safeHref, type Html } from "../../../lib/html.js";
import { shortened } from "../../../lib/text.js";
import type { Forge } from "../../config/schema.js";

/** The addresses of a commit and of a file in it, below that of the repository. */
const ADDRESSES: Readonly<Record<Forge, readonly [commit: string, file: string]>> = {
  github: ["/commit/{commit}", "/blob/{commit}/{path}"],
  gitlab: ["/-/commit/{commit}", "/-/blob/{commit}/{path}"],
  gitea: ["/commit/{commit}", "/src/commit/{commit}/{path}"],
  bitbucket: ["/commits/{commit}", "/src/{commit}/{path}"],
  azure: ["/commit/{commit}", "?path=/{path}&version=GC{commit}"],
};

export interface Repository {
  /** "https://git.example.com/org/repo" */
  readonly url: string;
  /** If absent, guessed from the address. */
  readonly forge?: Forge | undefined;
}

const LONGEST_NAME = 200;

export function commitHref(repository: Repository | undefined, commit: string): string | undefined {
  return hrefOf(repository, 0, { commit });
}

export function fileHref(
  repository: Repository | undefined,
  commit: string,
  path: string,
): string | undefined {
  return hrefOf(repository, 1, { commit, path });
}

function hrefOf(
  repository: Repository | undefined,
  kind: 0 | 1,
  { commit, path = "" }: { readonly commit: string; readonly path?: string },
): string | undefined {
  const hash = hashOf(commit);
  if (!repository || !/^https?:\/\//.test(repository.url) || !/^[0-9a-f]{4,64}$/.test(hash))
    return undefined;
  const form = ADDRESSES[repository.forge ?? forgeOf(repository.url)][kind];
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  const base = repository.url.replace(/\/+$/, "").replace(/\.git$/, "");
  return safeHref(base + form.replace("{commit}", () => hash).replace("{path}", () => encoded));
}

/** Defaults to GitHub, because its enterprise servers can have any host name. */
export function forgeOf(url: string): Forge {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  if (/(^|\.)(dev\.azure\.com|visualstudio\.com)$/.test(host) || url.includes("/_git/"))
    return "azure";
  if (host.includes("gitlab")) return "gitlab";
  if (host.includes("bitbucket")) return "bitbucket";
  return /gitea|forgejo|codeberg/.test(host) ? "gitea" : "github";
}

function hashOf(commit: string): string {
  return commit.replace(/-dirty$/, "");
}

/** Shows "f06eee7abc12", as a link if the forge is known. */
export function renderCommit(commit: string, repository: Repository | undefined): Html {
  const hash = hashOf(commit);
  const text = html`<code>${renderText(shortened(hash.slice(0, 12), LONGEST_NAME))}</code>`;
  const more = hash === commit ? undefined : html` with uncommitted changes`;
  return html`${renderLink(commitHref(repository, commit), text)}${more}`;
}

export function renderFile(file: string, href: string | undefined): Html {
  return renderLink(href, html`<code>${renderText(shortened(file, LONGEST_NAME))}</code>`);
}

export function renderLink(href: string | undefined, text: Html): Html {
  return href === undefined ? text : html`<a href="${href}" rel="noopener noreferrer">${text}</a>`;
}
