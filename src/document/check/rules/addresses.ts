// Rules about addresses: http(s) URLs, the extent service, footer links, bare host names.
import { catalog } from "../../../catalog/catalog.js";
import type { Json } from "../../../json.js";
import { isJsonObject } from "../../../json.js";
import type { Path } from "../../../settings.js";
import { childOf, type Node } from "../../read/tree.js";
import type { Finding, FoundSetting, Rule, View } from "./view.js";

interface Address {
  readonly path: Path;
  readonly node: Node;
  readonly text: string;
}

export const notAnAddress: Rule = (view) =>
  view.settings.flatMap(addressesIn).flatMap(({ path, node, text }): Finding[] =>
    isAddress(text)
      ? []
      : [
          {
            code: "not-an-address",
            path,
            at: node,
            message: `"${String(path.at(-1))}" must be an http or https address, but it is ${JSON.stringify(text.slice(0, 80))}.`,
            help: addressHelp(text),
          },
        ],
  );

/** The value of a URL property, or of the URL properties of a list's entries. */
function addressesIn({ setting, path, entry, value }: FoundSetting): Address[] {
  const type = setting.property?.type;
  if (type === "URL" && typeof value === "string") {
    return [{ path, node: entry.value, text: value }];
  }
  if (typeof type !== "object") return [];
  const names = (catalog.objects[type.arrayOf] ?? [])
    .filter((property) => property.type === "URL")
    .map(({ name }) => name);
  return entriesOfList(value).flatMap(([item, at]) =>
    names.flatMap((name): Address[] => {
      const text = item[name];
      const node = childOf(childOf(entry.value, at), name);
      return node && typeof text === "string" ? [{ path: [...path, at, name], node, text }] : [];
    }),
  );
}

function entriesOfList(value: Json | undefined): [Readonly<Record<string, Json>>, number][] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: Json, at): [Readonly<Record<string, Json>>, number][] =>
    isJsonObject(item) ? [[item, at]] : [],
  );
}

function isAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s/?#]/i.test(text) || /\s/.test(text)) return false;
  return URL.canParse(text);
}

function addressHelp(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== text && isAddress(trimmed)) return `Remove the white space: ${trimmed}`;
  if (trimmed.startsWith("//") && isAddress(`https:${trimmed}`)) return `Write https:${trimmed}`;
  if (/^[\w-]+(\.[\w-]+)+([:/].*)?$/.test(trimmed)) return `Write https://${trimmed}`;
  return "Write the whole address, for example:\n  https://www.example.org/";
}

export const extentService: Rule = (view) => {
  const found = view.get("portalConfigProperties.extentService");
  if (typeof found?.value !== "string" || !isAddress(found.value)) return [];
  if (/\/MapServer\/?$/.test(new URL(found.value).pathname)) return [];
  return [
    {
      code: "extent-service",
      path: found.path,
      at: found.entry.value,
      message: '"extentService" is not the address of a map service, which ends in "/MapServer".',
      help: "It must be a tiled map service in the WGS84 geographic coordinate system (WKID 4326).",
    },
  ];
};

export const footerLink: Rule = (view) => {
  const found = view.get("portalConfigProperties.footerLinks");
  if (!found) return [];
  return entriesOfList(found.value).flatMap(([link, at]): Finding[] => {
    const node = childOf(found.entry.value, at) ?? found.entry.value;
    const wrong = wrongLink(link);
    if (!wrong) return [];
    const title = typeof link["title"] === "string" ? ` ${JSON.stringify(link["title"])}` : "";
    return [
      {
        code: "footer-link",
        path: [...found.path, at],
        at: node,
        message: `The footer link${title} ${wrong}.`,
        help: "Give it either url, or email and type:\n  - { title: Contact, email: gis@example.org, type: contactUs }",
      },
    ];
  });
};

function wrongLink(link: Readonly<Record<string, Json>>): string | undefined {
  const [url, email, type] = ["url", "email", "type"].map((name) => link[name] !== undefined);
  if (url && email) return "has both a url and an email";
  if (url && type) return "has a type, which belongs to an email, beside its url";
  if (url) return undefined;
  if (email && type) return undefined;
  if (email) return "has an email without a type";
  return "has neither a url nor an email";
}

export const notAHostName: Rule = (view: View) => {
  const found = view.settings.filter(
    ({ setting }) => setting.property?.type === "array of domain names",
  );
  return found.flatMap(({ value, path, entry }) => {
    if (!Array.isArray(value)) return [];
    return value.flatMap((host: Json, at): Finding[] => {
      if (typeof host !== "string" || HOST_NAME.test(host)) return [];
      const bare = host
        .trim()
        .replace(/^[a-z]+:\/\//i, "")
        .replace(/^\*\./, "")
        .replace(/[:/?#].*$/s, "");
      return [
        {
          code: "not-a-host-name",
          path: [...path, at],
          at: childOf(entry.value, at) ?? entry.value,
          message: `${JSON.stringify(host)} is not a bare host name.`,
          help: HOST_NAME.test(bare)
            ? `Write ${bare}, without scheme, port, path or wildcard.`
            : "Write a host name such as gis.example.com, without scheme, port, path or wildcard.",
        },
      ];
    });
  });
};

const HOST_NAME =
  /^(?=.{1,253}$)[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)*\.?$/u;
