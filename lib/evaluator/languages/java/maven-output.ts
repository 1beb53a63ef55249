/** What Maven and javac print: findings, and what is lacking. Pure. */
import type { Finding } from "../../../core/verdict/verdict.ts";

const FINDINGS = 100;

/** `[ERROR] /path/File.java:[12,34] message`, with lines below that say more. `copy`: the folder that paths begin with. */
export function findingsIn(text: string, copy: string): { errors: Finding[]; warnings: Finding[] } {
  const found = new Map<string, { isError: boolean; finding: Finding }>();
  const lines =
    /^\[(ERROR|WARNING)\] (\S.*?\.(?:java|kt|scala|groovy)):\[(\d+)(?:,(\d+))?\] (.+(?:\n(?: {2}|\[ERROR\] {2}).+)*)$/gm;
  for (const [, level, path = "", line, column, message = ""] of text.matchAll(lines)) {
    if (!path.startsWith(`${copy}/`)) continue;
    const finding = {
      path: path.slice(copy.length + 1),
      line: Number(line),
      ...(column ? { column: Number(column) } : {}),
      message: message.replaceAll(/(?<!\s)\s*\n(?:\[ERROR\])?\s*/g, "; ").replace(/^error: /, ""),
      rule: "compile",
    };
    found.set(JSON.stringify([level, finding.path, line, column]), { isError: level === "ERROR", finding });
  }
  const of = (wanted: boolean): Finding[] =>
    [...found.values()].flatMap(({ isError, finding }) => (isError === wanted ? [finding] : [])).slice(0, FINDINGS);
  return { errors: of(true), warnings: of(false) };
}

/** `path:line: error: message`, as javac prints it. */
export const javacErrorsIn = (text: string): Finding[] =>
  [...text.matchAll(/^(?:\.\/)?(\S.*?\.java):(\d+): error: (.+)$/gm)]
    .map(([, path = "", line, message = ""]) => ({ path, line: Number(line), message, rule: "syntax" }))
    .slice(0, FINDINGS);

/** A pom that Maven itself cannot read. */
export function pomErrorsIn(text: string, copy: string): Finding[] {
  const lines =
    /^\[(?:ERROR|FATAL)\] +(?:\[(?:ERROR|FATAL)\] +)?((?:Non-parseable POM|Malformed POM|'[\w.\]['-]+' |'?(?:dependencies|build|modules|parent)\S*' ).*?)(?: @ (?:line (\d+), column (\d+)|(\S+pom\.xml).*)?.*)?$/gm;
  const found = [...text.matchAll(lines)].map(([whole, message = "", line]) => {
    const path = /(\/\S{1,1000}?pom\.xml)/.exec(whole)?.[1] ?? "";
    const own = path.startsWith(`${copy}/`) ? path.slice(copy.length + 1) : "pom.xml";
    const at = /line (\d+), column/.exec(whole)?.[1] ?? line;
    return { path: own, ...(at ? { line: Number(at) } : {}), message: message.replaceAll(`${copy}/`, ""), rule: "pom" };
  });
  return [...new Map(found.map((each) => [each.message, each])).values()].slice(0, FINDINGS);
}

const COORDINATES = /(?<![\w.-])[\w.-]+:[\w.-]+(?::[\w.-]+){0,4}/g;
const UNRESOLVED =
  /(?:could not be resolved|Non-resolvable (?:parent|import) POM|Unresolveable build extension|Could not (?:find|transfer) artifact|Failed to read artifact descriptor|Error resolving version for plugin|in offline mode and the artifact|(?<!\S)\d+\) [\w.-]+:[\w.-]+:\w+:)/;

/** Packages without which Maven goes no further. */
export function lackingIn(text: string): string[] {
  const lines = text.split("\n").filter((line) => line.startsWith("[ERROR]") && UNRESOLVED.test(line));
  const names = lines.flatMap((line) => {
    const listed = /could not be resolved: (.*?): (?:Cannot access|Could not|Failure)/.exec(line)?.[1];
    const one = /(?:and the artifact|(?<!\S)\d+\)|(?:parent|import) POM for [^:]+:[^:]+:[^:]+:.*?artifact) (\S+)/.exec(
      line,
    )?.[1];
    const plugin = /resolving version for plugin '([^']+)'/.exec(line)?.[1];
    return [...(listed ?? one ?? plugin ?? line).matchAll(COORDINATES)].map(([name]) => name);
  });
  return [...new Set(names.length > 0 ? names : lines.length > 0 ? ["(of pom.xml)"] : [])].slice(0, FINDINGS);
}

/** A newer or older tool than the one that is here, or what only a network has. */
export function lackingToolIn(text: string): string | undefined {
  const newer =
    /(?:release version|invalid (?:source|target) release:?|use -source) (\d[\d.]*)(?: not supported| or higher)?/.exec(
      text,
    )?.[1];
  if (newer) return `JDK ${newer}`;
  const old = /Source option (\d+) is no longer supported|Target option (\d+) is no longer supported/.exec(text);
  if (old) return `a JDK for Java ${old[1] ?? old[2]}`;
  const [, what, range] =
    /Detected (JDK|Maven) [Vv]ersion:? .*? is not in the allowed range ([^\s,]*,?[^\s]*)/.exec(text) ?? [];
  if (what) return `${what} ${range?.replace(/\.$/, "")}`;
  const maven = /requires Maven version ([\d.]+)/.exec(text)?.[1];
  return maven ? `Maven ${maven}` : undefined;
}
