/** Reads source text for the house test: what it imports, and how long its functions are. */
import { stripTypeScriptTypes } from "node:module";
import { parse } from "acorn";
import { full } from "acorn-walk";
import { transformSync } from "esbuild";

export interface Import {
  from: string;
  typeOnly: boolean;
  /** Loaded when it is needed, so that no cycle comes of it. */
  late: boolean;
}

const IMPORT =
  /^\s*(?:import|export)\s+(type\s)?[^;"']*?from\s+["']([^"']+)["']|^\s*import\s+["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;

export const importsOf = (text: string): Import[] =>
  [...text.matchAll(IMPORT)].map((match) => ({
    from: match[2] ?? match[3] ?? match[4] ?? "",
    typeOnly: match[1] !== undefined || onlyTypes(match[0]),
    late: match[4] !== undefined,
  }));

const onlyTypes = (statement: string): boolean => {
  const names = /\{([^}]*)\}/.exec(statement)?.[1]?.split(",") ?? [];
  return names.length > 0 && names.every((name) => name.trim() === "" || name.trim().startsWith("type "));
};

export interface Measured {
  line: number;
  lines: number;
  parameters: number;
}

/** Types are blanked out where they stand, so lines stay where they are; of elements about so many lines are left. */
export function functionsOf(text: string, path = ""): Measured[] {
  const plain = path.endsWith(".tsx")
    ? transformSync(text, { loader: "tsx", jsx: "transform", target: "esnext" }).code
    : stripTypeScriptTypes(text.replace(/^#!.*/, ""), { mode: "strip" });
  const program = parse(plain, { ecmaVersion: "latest", sourceType: "module", locations: true });
  const found: Measured[] = [];
  full(program, (node) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type) || !node.loc) return;
    const { params } = node as unknown as { params: unknown[] };
    const { start, end } = node.loc;
    found.push({ line: start.line, lines: end.line - start.line + 1, parameters: params.length });
  });
  return found;
}
