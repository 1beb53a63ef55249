/** Configurations of runners that are written as code, and do nothing but to say what is said in all projects. Pure. */
import { lex } from "../../text/lex.ts";
import { javascript } from "../../text/source-languages.ts";

/** A configuration that only says where code is, what compiles it, and in what surroundings it runs. */
export function isPlainConfig(text: string): boolean {
  return lex(text, javascript.shape).every(({ kind, text: part }) => {
    if (kind === "word") return WORDS.test(part);
    if (kind === "string") return isPlainString(part.slice(1, -1));
    return kind !== "broken";
  });
}

const WORDS =
  /^(?:import|from|export|default|const|config|type|as|defineConfig|defineProject|module|exports|test|environment|globals|include|exclude|dir|root|testTimeout|hookTimeout|coverage|provider|reporter|reporters|watch|pool|passWithNoTests|plugins|react|vue|svelte|tsconfigPaths|preset|transform|extensionsToTreatAsEsm|moduleFileExtensions|testEnvironment|testMatch|roots|rootDir|verbose|clearMocks|restoreMocks|mockReset|useESM|esModuleInterop|presets|targets|node|current|runtime|automatic|Config|true|false|null|\d+)$/;
const isPlainString = (text: string): boolean =>
  !/^(?:\.|\/|<rootDir>|file:)/.test(text) ||
  /^(?:\.{1,2}|<rootDir>)?\/?(?:src|lib|app|tests?|__tests__)?(?:\/\*.*)?$/.test(text);

/** Files by which runners and what compiles for them are configured. */
export const CONFIG_FILE = /^(?:(?:vitest|vite|jest|babel)\.(?:config|workspace)\..+|\.babelrc(?:\..+)?|\.swcrc)$/;
