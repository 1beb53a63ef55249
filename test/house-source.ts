/** Reads source text for the house test: what it imports, and how long its functions are. */
import { SourceMap, stripTypeScriptTypes } from "node:module";
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

/** Lengths are those of the source as it is written, also in TSX, where elements span many lines. */
export function functionsOf(text: string, path = ""): Measured[] {
  const { plain, lineIn } = path.endsWith(".tsx") ? compiledTsx(text) : strippedTypes(text);
  const program = parse(plain, { ecmaVersion: "latest", sourceType: "module", locations: true });
  const found: Measured[] = [];
  full(program, (node) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type) || !node.loc) return;
    const { params } = node as unknown as { params: unknown[] };
    const [first, last] = [lineIn(node.loc.start), lineIn(node.loc.end)];
    found.push({ line: first, lines: last - first + 1, parameters: params.length });
  });
  return found;
}

interface Plain {
  plain: string;
  /** The source line of a position in the plain text, both counted from 1. */
  lineIn: (position: { line: number; column: number }) => number;
}

/** Types are replaced by spaces, so lines stay where they are. */
const strippedTypes = (text: string): Plain => ({
  plain: stripTypeScriptTypes(text.replace(/^#!.*/, ""), { mode: "strip" }),
  lineIn: ({ line }) => line,
});

function compiledTsx(text: string): Plain {
  const { code, map } = transformSync(text, {
    loader: "tsx",
    jsx: "transform",
    target: "esnext",
    sourcemap: "external",
  });
  const sources = new SourceMap(JSON.parse(map));
  return {
    plain: code,
    lineIn({ line, column }) {
      const entry = sources.findEntry(line - 1, column);
      return "originalLine" in entry ? entry.originalLine + 1 : line;
    },
  };
}
