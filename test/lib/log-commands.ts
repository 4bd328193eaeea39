// Finds what the platforms that run pipelines would take for a command in a log.

/** Each tries to command a platform; between them line ends of every kind, and spaces that GitHub trims. */
export const COMMANDING = [
  "first line",
  "::add-mask::gis",
  " \t\u0085\u00a0::set-output name=a::b",
  "::stop-commands::token",
  "::error file=portal.yaml::forged",
  "in a line ##[error]forged",
  "in a line ##vso[task.complete result=Failed]forged",
  "##teamcity[buildStop comment='forged']",
  "\u001b[0Ksection_start:1:forged\r\u001b[0Kheading",
  "\u001b[0Ksection_end:1:forged\r\u001b[0K",
  "a\r::notice::b\u2028::warning::c\u0085::debug::d \u202e\u200b",
].join("\n");

/**
 * GitHub: a line that begins with "::" once spaces are trimmed, and "##[" anywhere. Azure: "##vso[" anywhere. TeamCity:
 * "##teamcity[". GitLab: "section_start:" and a number.
 */
export function commandsIn(log: string): string[] {
  return log
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
    .filter(
      (line) =>
        line.replace(/^[\s\u0085]+/, "").startsWith("::") ||
        /##\w*\[|section_(?:start|end):\d/.test(line),
    );
}
