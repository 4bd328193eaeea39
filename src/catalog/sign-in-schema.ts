// Builds the JSON Schema of `signIn`.
import type { JsonObject } from "../lib/json.js";
import { CARRIES, DEFAULT_SIGN_IN_METHOD, SIGN_IN_MEANINGS, SIGN_IN_METHODS } from "../sign-in.js";
import type { SignInField } from "../sign-in.js";
import { ADDRESS } from "./facts.js";
import { object } from "./settings-schema.js";

export const METHODS = Object.entries<Readonly<Record<string, SignInField>>>(SIGN_IN_METHODS);

export function signIn(): JsonObject {
  return {
    type: "object",
    description:
      "How to sign in. Secrets are references to variables, files or commands, never written out.",
    properties: {
      method: {
        enum: METHODS.map(([name]) => name),
        default: DEFAULT_SIGN_IN_METHOD,
        description: [
          "How to sign in.",
          ...Object.entries(SIGN_IN_MEANINGS).map(([name, meaning]) => `${name}: ${meaning}.`),
        ].join("\n\n"),
      },
      carry: {
        enum: CARRIES,
        default: CARRIES[0],
        description: "How the token travels to the portal.",
      },
      ...Object.fromEntries(
        METHODS.flatMap(([, fields]) => Object.entries(fields)).map(([name, each]) => [
          name,
          {
            ...fieldSchema(each),
            ...(each.variable && { default: `\${env:${each.variable}}` }),
          },
        ]),
      ),
    },
    allOf: METHODS.map(([name, fields]) => ({ if: isMethod(name), then: onlyFields(fields) })),
  };
}

/** A pattern, because language servers would treat "login" as the start of another constant. */
export function isMethod(name: string): JsonObject {
  return { required: ["method"], properties: { method: { type: "string", pattern: `^${name}$` } } };
}

/** Restricts the fields; their values are described once for all methods. */
export function onlyFields(fields: Readonly<Record<string, SignInField>>): JsonObject {
  const names = ["method", "carry", ...Object.keys(fields)];
  return object(Object.fromEntries(names.map((name) => [name, true])));
}

/** For editors, which offer every name in a schema: only the method's own fields. */
export function signInForEditors(): JsonObject {
  const { type, description, properties } = signIn() as Record<string, JsonObject>;
  const { method, carry } = properties ?? {};
  const allOf = METHODS.map(([name, fields]) => ({ if: isMethod(name), then: ownFields(fields) }));
  return { type, description, properties: { method, carry }, allOf } as JsonObject;
}

/**
 * For a file without a method. Without a base, the default method applies; with one, any method may, and no fields are
 * offered. A base may leave the method to the files that extend it, so it can contain any field.
 */
export function fieldsWithoutMethod({ isPart }: { readonly isPart: boolean }): JsonObject {
  const usual = ownFields(SIGN_IN_METHODS[DEFAULT_SIGN_IN_METHOD]);
  const all = onlyFields(Object.assign({}, ...METHODS.map(([, fields]) => fields)));
  const known = {
    ...all,
    properties: { ...(all["properties"] as JsonObject), ...(usual["properties"] as JsonObject) },
  };
  const lacks = (then: JsonObject) => {
    const allOf = [{ if: { not: { required: ["method"] } }, then }];
    return { properties: { signIn: { type: "object", allOf } } };
  };
  return { if: EXTENDS, then: lacks(all), else: lacks(isPart ? known : usual) };
}

export const EXTENDS = { required: ["extends"] };

/** Without defaults: in a snippet, the variable's name would remain as the secret. */
function ownFields(fields: Readonly<Record<string, SignInField>>): JsonObject {
  const own = Object.entries(fields).map(([name, each]) => [name, fieldSchema(each)] as const);
  return object({ method: true, carry: true, ...Object.fromEntries(own) });
}

export function requiredOf(fields: Readonly<Record<string, SignInField>>): string[] {
  return Object.keys(fields).filter((key) => fields[key]?.isRequired);
}

function fieldSchema(field: SignInField): JsonObject {
  const orVariable = field.variable ? ` When left out: \${env:${field.variable}}.` : "";
  return {
    ...(field.type === "minutes"
      ? { type: "integer", minimum: 1, examples: [60] }
      : { type: "string", minLength: 1 }),
    ...(field.type === "address" && { pattern: ADDRESS }),
    ...(field.isSecret && {
      pattern:
        "^\\$\\{(env:[A-Za-z_][A-Za-z0-9_]*|(file|command):(\\$\\{portal\\.key\\}|[^}])+)\\}$",
    }),
    description: field.meaning + orVariable,
  };
}
