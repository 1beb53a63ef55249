/** The options of JavaScript's test runners that choose among tests, with what they are set to. Pure. */

import { covers } from "./places.ts";
import { closings, compact } from "./test-part.ts";
import { tokensOf } from "./token.ts";

/** They leave tests out, or take the truth from them, of any of JavaScript's runners: no new one is needed. */
const LEAVING_OUT =
  /^(?:testPathIgnorePatterns|modulePathIgnorePatterns|testRegex|testNamePattern|testPathPatterns?|passWithNoTests|allowOnly|exclude|runner|testRunner|resolver|spec|ignore|grep|fgrep|invert|dangerouslyIgnoreUnhandledErrors|related|changed|shard)$/;
/** They say where tests lie. */
const PLACES = /^(?:testMatch|include|includeSource|files|match|roots|dir|rootDir|root|projects|workspace)$/;
/** They say how tests are run: a new one is a beginning, another one a change. */
const RUNNING =
  /^(?:bail|setupFiles|setupFilesAfterEnv|globalSetup|reporters?|moduleNameMapper|transform|alias|preset|extension|require|forbidOnly|retry|watch|extends|opt|config|package|file|exit)$/;
/** Within these the same words say something else. */
const ELSEWHERE = /^["']?(?:coverage|optimizeDeps|build|server|typecheck|esbuild|css|benchmark|deps)["']?$/;
/** No change: nothing that a runner reads says as much. */
const NO_CHOICE = /^(?:passWithNoTests|invert|dangerouslyIgnoreUnhandledErrors|allowOnly):false$/;

/** Whether the new text chooses other tests than the old one; undefined: there is none. */
export function chosen(before: string | undefined, after: string, tests: readonly string[] | undefined): boolean {
  const old = choosing(before ?? "");
  const now = choosing(after);
  const had = new Set(old.map(({ said }) => said));
  const has = new Set(now.map(({ said }) => said));
  const keys = new Set(old.map(({ key }) => key));
  return (
    old.some(({ said }) => !has.has(said) && !NO_CHOICE.test(said)) ||
    now.some(({ key, said, strings }) => {
      if (had.has(said) || NO_CHOICE.test(said)) return false;
      if (LEAVING_OUT.test(key) || keys.has(key)) return true;
      return PLACES.test(key) && strings.length > 0 && !holdsAll(strings, tests ?? []);
    })
  );
}

/** Patterns that are hard to read are believed: what they leave out is missed when tests are counted. */
const holdsAll = (places: string[], tests: readonly string[]): boolean =>
  places.some((place) => /[{([<$]/.test(place)) ||
  tests.filter(isScript).every((test) => places.some((place) => covers(place, test)));

const isScript = (path: string): boolean => /\.(?:[cm]?[jt]s|[jt]sx)$/.test(path);

interface Option {
  key: string;
  /** With what it is set to. */
  said: string;
  strings: string[];
}

/** Each option that chooses. */
function choosing(text: string): Option[] {
  const tokens = tokensOf(text, "javascript").filter(({ kind }) => kind !== "comment");
  const closing = closings(tokens);
  const found: Option[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || token.kind === "mark" || tokens[at + 1]?.text !== ":") continue;
    if (ELSEWHERE.test(token.text) && tokens[at + 2]?.text === "{") at = closing.get(at + 2) ?? at;
    const key = token.text.replaceAll(/["']/g, "");
    if (!LEAVING_OUT.test(key) && !PLACES.test(key) && !RUNNING.test(key)) continue;
    const value = tokens.slice(at, endOf(at + 2));
    found.push({
      key,
      said: compact(value, true)
        .replaceAll(/["'`]/g, '"')
        .replace(/^"(\w+)":/, "$1:"),
      strings: value.slice(2).flatMap(({ kind, text }) => (kind === "string" ? [text.slice(1, -1)] : [])),
    });
  }
  return found;

  function endOf(from: number): number {
    let at = from;
    for (; at < tokens.length && at < from + OPTION_TOKENS; at += 1) {
      const text = tokens[at]?.text ?? "";
      if (text === "," || text === "}") break;
      if ("([{".includes(text)) at = closing.get(at) ?? at;
    }
    return at;
  }
}
const OPTION_TOKENS = 2_000;
