/** Separates unavailable packages from undeclared ones. Pure. */
import type { Finding } from "../../../core/verdict/verdict.ts";
import type { GoCode, GoModule } from "./modules.ts";

interface BuildOutput {
  /** All that Go printed. */
  text: string;
  module: GoModule;
  code: GoCode;
}

/** The findings that are the project's own fault, and the packages that it declares and that are not here. */
export function withoutWhatIsMissing(
  errors: Finding[],
  { text, module, code }: BuildOutput,
): { findings: Finding[]; missing: string[] } {
  const missing = new Set<string>(unreachedIn(text));
  const findings = errors.flatMap((error): Finding[] => {
    if (!NOT_HAD.test(error.message)) return [error];
    const name = NAMED.exec(error.message)?.[1];
    const wanted = name ? [name] : undeclaredOrNot(error, code);
    const declared = wanted.filter((each) => module.required.some((one) => isWithin(each, one)));
    for (const each of declared) missing.add(each);
    if (declared.length > 0) return [];
    return [{ ...error, message: fault(wanted[0] ?? "a package", module), rule: "import" }];
  });
  return { findings, missing: [...missing] };
}

/** Modules of the graph, without which Go compiles nothing at all. */
export const unreachedIn = (text: string): string[] => [
  ...new Set([...text.matchAll(UNREACHED)].flatMap(([, name]) => name ?? [])),
];

const NOT_HAD = /module lookup disabled|no required module provides|missing go\.sum entry/;
const NAMED = /(?:module providing package|no required module provides package) ([^\s:;]+)/;
const UNREACHED = /^go: (?:.*\n\s+)?([^\s@]+)@v\S+: module lookup disabled/gm;

/** Go names the place alone: it is an import from elsewhere of that file. */
const undeclaredOrNot = ({ path }: Finding, { imports }: GoCode): string[] =>
  (imports.get(path) ?? []).filter((name) => name.split("/")[0]?.includes("."));

const isWithin = (name: string, module: string): boolean => name === module || name.startsWith(`${module}/`);

const fault = (name: string, module: GoModule): string =>
  isWithin(name, module.name)
    ? `there is no package ${name} in the module`
    : `package ${name} is not available here: go.mod does not require it`;
