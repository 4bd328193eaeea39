// https://HOST/PATH → a server's address. Refuses a user name or a password, which belong into variables.
import type { KindOfPlace } from "./kind.js";

export const servers = {
  schemes: ["https", "http"],
  example: "https://gitlab.example.com/api/v4/projects/7/terraform/state/${portal.key}",
  noun: "HTTP servers",
  reason: "what GitLab or Gitea keeps for Terraform, or a server like it",
  pattern: "https?://[^/?#@\\s]+/[^#\\s]+$",
  isForOne: true,
  isFit: (address) => serverAt(address) !== undefined,
  recipientOf: serverAt,
} as const satisfies KindOfPlace;

export function serverAt(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isBare = url && !url.username && !url.password && !url.hash && url.pathname !== "/";
  return isBare ? url : undefined;
}
