/** Code that nothing here can check yet: it must not look as if there were nothing to check. */
import { type Asked, type Kind, noTests, nothingToCheck, withoutToolchain } from "../kind.ts";

const LANGUAGES: Record<string, string> = {
  c: "C",
  cc: "C++",
  clj: "Clojure",
  cpp: "C++",
  cs: "C#",
  dart: "Dart",
  ex: "Elixir",
  exs: "Elixir",
  hs: "Haskell",
  java: "Java",
  jl: "Julia",
  kt: "Kotlin",
  lua: "Lua",
  php: "PHP",
  pl: "Perl",
  r: "R",
  rb: "Ruby",
  rs: "Rust",
  scala: "Scala",
  swift: "Swift",
  zig: "Zig",
};

export const otherLanguages: Kind = {
  name: "other languages",
  owns: (path) => languageOf(path) !== undefined,
  async syntax({ tree, paths }) {
    const found = languagesIn(paths ?? tree.files);
    return found.length === 0 ? nothingToCheck : { ...withoutToolchain(checkFor(found)), errors: [] };
  },
  async tests({ tree }: Asked) {
    const { detail, ...missing } = withoutToolchain(checkFor(languagesIn(tree.files)));
    return { ...noTests, ...missing, detail, output: detail };
  },
};

const languageOf = (path: string): string | undefined => {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(LANGUAGES, ending) ? LANGUAGES[ending] : undefined;
};

const languagesIn = (paths: string[]): string[] => [...new Set(paths.flatMap((path) => languageOf(path) ?? []))];

const checkFor = (languages: string[]): string => `a check for ${languages.join(" and ")}`;
