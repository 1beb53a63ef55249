/** What an import of JavaScript, TypeScript or Go brings, each thing apart: imports may grow. Pure. */
import type { Part } from "./test-part.ts";
import type { Language, Token } from "./token.ts";

type ImportNames = Required<Pick<Part, "brings" | "binds">>;

/** Undefined: it is no import. */
export function importedBy(tokens: Token[], language: Language): ImportNames | undefined {
  const words = tokens.map(({ text }) => text).filter((word) => word !== ";");
  if (language === "go") return words[0] === "import" ? goImport(words.slice(1)) : undefined;
  const from = tokens.findLast(({ kind }) => kind === "string")?.text.slice(1, -1) ?? "";
  if (words[0] === "import" && words[1] !== "(" && words[1] !== ".") {
    const end = words.lastIndexOf("from");
    return named(words.slice(1, end === -1 ? 1 : end), from);
  }
  const call = words.indexOf("require");
  const isRequire =
    /^(?:const|let|var)$/.test(words[0] ?? "") && call > 2 && words[call - 1] === "=" && words.length === call + 4;
  return isRequire && from !== ""
    ? named(
        words.slice(1, call - 1).map((word) => (word === ":" ? "as" : word)),
        from,
      )
    : undefined;
}

/** `a, { b, c as d }` or `* as e`. */
function named(words: string[], from: string): ImportNames {
  const brings: string[] = [`${from}:`];
  const binds: string[] = [];
  let current: string[] = [];
  let braces = false;
  const end = (): void => {
    const own = current.filter((word) => word !== "type");
    if (own.length > 0) {
      brings.push(`${from}:${braces ? "" : "whole "}${own.join(" ")}`);
      binds.push(own.at(-1) ?? "");
    }
    current = [];
  };
  for (const word of words) {
    if (word !== "," && word !== "{" && word !== "}") current.push(word);
    else end();
    if (word === "{" || word === "}") braces = word === "{";
  }
  end();
  return { brings, binds };
}

function goImport(words: string[]): ImportNames {
  const brings: string[] = [];
  const binds: string[] = [];
  let alias = "";
  for (const word of words) {
    if (/^["`]/.test(word)) {
      brings.push(`${alias} ${word.slice(1, -1)}`.trim());
      binds.push(alias === "" ? (word.slice(1, -1).split("/").at(-1) ?? "") : alias);
      alias = "";
    } else if (word !== "(" && word !== ")") alias = `${alias}${word}`;
  }
  return { brings, binds };
}
