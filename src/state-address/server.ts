// Reads the address of a server for states: https://HOST/PATH. Refuses credentials in it, because they belong in variables.
import { isSecure } from "../hosts.js";
import { isWrong, wrongOf, type KindOfPlace, type Wrong } from "./kind.js";

const EXAMPLE = "https://gitlab.example.com/api/v4/projects/7/terraform/state/${portal.key}";

export const servers = {
  schemes: ["https", "http"],
  example: EXAMPLE,
  noun: "HTTP servers",
  reason: "GitLab or Gitea: their Terraform states, or another HTTP server with this protocol",
  pattern: "https?://[^/?#@\\s]+/[^#\\s]+$",
  wrongIn: (address) => wrongOf(serverAt(address)),
  isForOne: true,
  recipientOf: serverUrl,
} as const satisfies KindOfPlace;

export function serverAt(address: string): URL | Wrong {
  if (/\s/.test(address)) return wrong("holds a space");
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:\/\/[^/]/i.test(address)) return wrong("is no address that can be called");
  if (url.username || url.password) {
    return {
      why: "holds a user name or a password",
      help: "Take what stands before the @ out. They belong into variables:\n  export TF_HTTP_USERNAME=… TF_HTTP_PASSWORD=…",
    };
  }
  if (url.hash || address.endsWith("#"))
    return wrong('goes on with "#", which no server is told of');
  if (!isSecure(url))
    return wrong("goes without https, and a password goes to no other machine so");
  if (url.pathname === "/") return wrong("names no path, which tells one state from another");
  return url;
}

export function serverUrl(address: string): URL | undefined {
  const found = serverAt(address);
  return isWrong(found) ? undefined : found;
}

function wrong(why: string): Wrong {
  return { why, help: `Write the whole address, such as:\n  state: ${EXAMPLE}` };
}
