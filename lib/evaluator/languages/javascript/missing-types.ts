/** What a compiler says because a package could not be had, which is no error of the project's. Pure. */
import type { Finding } from "../../../core/verdict/verdict.ts";

/** A module that is not there, and types that a setting names. */
const ABSENT: Record<string, RegExp> = {
  TS2307: /^Cannot find module '((?:@[^/']+\/)?[^./'][^/']*)/,
  TS2688: /^Cannot find type definition file for '([^']+)'/,
};
/** What is of a type that is not known may be anything: these follow from it. */
const FOLLOWING = new Set([
  ...["TS7006", "TS7031", "TS7005", "TS7026", "TS2875", "TS7016", "TS2347", "TS2503", "TS18046"],
  // Names that the types of a package make known everywhere.
  ...["TS2580", "TS2582", "TS2584", "TS2591", "TS2592", "TS2593"],
]);

/** `missing`: packages that could not be had, each as `name@version: why`. */
export function withoutMissing(errors: Finding[], missing: string[]): { errors: Finding[]; missing: string[] } {
  const names = new Set(missing.map((one) => one.replace(/^(@?[^@\s:]+).*$/s, "$1")));
  const absent = new Map(errors.flatMap((error) => absentIn(error, names).map((name) => [error, name] as const)));
  if (absent.size === 0) return { errors, missing: [] };
  return {
    errors: errors.filter((error) => !absent.has(error) && !FOLLOWING.has(error.rule ?? "")),
    missing: [...new Set(absent.values())],
  };
}

/** Types of a package are often a package of their own. */
function absentIn({ rule = "", message }: Finding, names: Set<string>): string[] {
  const name = ABSENT[rule]?.exec(message)?.[1];
  if (name === undefined) return [];
  return [name, `@types/${name.replace(/^@/, "").replace("/", "__")}`].filter((one) => names.has(one)).slice(0, 1);
}
