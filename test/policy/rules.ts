// Policies for tests.

/** A policy that says `body`; its example is not run. */
export function rule(name: string, body: string): string {
  return `name: ${name}\nmessage: This is a rule.\nhelp: Ask somebody.\n${body}\nexamples: { bad: [{}] }\n`;
}

export const TOKENS = rule(
  "tokens",
  "must: { settings.portalConfigProperties.tokenExpiration: { maximum: 60 } }",
);

/** Of the portal that tests have. */
export const PORTAL_RULE = rule(
  "portal",
  "when: { portal.host: { const: 127.0.0.1 } }\nmust: { settings.portalConfigProperties.tokenExpiration: { maximum: 60 } }",
);
