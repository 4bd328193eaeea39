// Rule: the target version or the deployment lacks a parameter.
import { isAccepted, isIntroduced } from "../../../catalog/catalog.js";
import { onKey, type Rule } from "./rule.js";

export const advancedUnavailable = {
  code: "advanced-unavailable",
  severity: "error",
  meaning: "`portalConfigProperties` before 11.0 or on a hosted-online portal",
  find: ({ parameters, deployment, target }) =>
    parameters.flatMap((found) => {
      const { parameter } = found;
      if (deployment && !isAccepted(parameter, deployment)) {
        const message = `"${parameter.name}" does not exist where the deployment is "${deployment}".`;
        const help = `Remove it, or say what this portal is:\n  deployment: ${parameter.deployments?.[0]}`;
        return [onKey(found, message, help)];
      }
      if (!target || isIntroduced(parameter, target)) return [];
      const message = `"${parameter.name}" was introduced at ${parameter.introduced}, after the target ${target}.`;
      const help = `Before ${parameter.introduced} these properties stand in the configuration file of a portal on Windows or Linux. Remove them here, or raise the target.`;
      return [onKey(found, message, help)];
    }),
} as const satisfies Rule;
