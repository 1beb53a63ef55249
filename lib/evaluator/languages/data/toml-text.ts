/** What is wrong with a TOML text. Who has none does not load the parser. */
import { parse, TomlError } from "smol-toml";
import type { Problem } from "./data-language.ts";

export function tomlProblem(text: string): Problem | undefined {
  try {
    parse(text, { integersAsBigInt: true });
    return undefined;
  } catch (problem) {
    if (!(problem instanceof TomlError)) throw problem;
    const { line, column, message } = problem;
    const [said = ""] = message.replace(/^Invalid TOML document: /, "").split("\n");
    return { line, column, message: said };
  }
}
