/** The languages of a task, or of the files that it starts from, that cannot be checked where the run is computed. Pure. */
import { SOURCE_LANGUAGES, type SourceLanguage, sourceLanguageOf } from "../text/source-languages.ts";

export interface PlannedWork {
  task: string;
  /** Files that the run starts from. */
  paths: string[];
  /** The programs with which languages are checked, by name, as far as they are there. */
  programs: readonly string[];
}

/** One line for each, with what to do about it. Empty: all of them can be checked. */
export function uncheckedLanguages({ task, paths, programs }: PlannedWork): string {
  const started = new Set(paths.flatMap((path) => sourceLanguageOf(path) ?? []));
  return SOURCE_LANGUAGES.filter((one) => started.has(one) || isNamed(one, task))
    .flatMap((one) => adviceOn(one, programs) ?? [])
    .join("\n");
}

function adviceOn({ name, needs, checkedWith }: SourceLanguage, programs: readonly string[]): string | undefined {
  if (needs && !programs.includes(needs))
    return `This computer cannot check ${name}: install ${needs} or choose another language.`;
  if (checkedWith) return undefined;
  return `${name} is checked only by what the project declares: give it a Makefile with a target "test", or choose another language.`;
}

/** English words, and letters: they name a language only in its company. */
const AMBIGUOUS = new Set(["Go", "Rust", "Swift", "Dart", "Julia", "R", "C", "shell"]);

function isNamed({ name }: SourceLanguage, task: string): boolean {
  const word = `(?<![\\w.+#-])${name.replaceAll(/\W/g, "\\$&")}(?![\\w+#])`;
  if (!AMBIGUOUS.has(name)) return new RegExp(word).test(task);
  const before = `\\b(?:in|using|with) (?:\\w+ )?${word}`;
  const after = `${word} (?:program|project|crate|library|package|module|CLI|code|server|service|app|tool|API|tests?)\\b`;
  return new RegExp(`${before}|${after}`).test(task);
}
