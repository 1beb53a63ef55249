/** Functions that only refuse, in other languages: what their authors' tools write for "later". Pure. */
import { isPromise } from "./elisions.ts";
import type { Language } from "./language.ts";
import type { Token } from "./lex.ts";
import { isLeftToOthers, isUnfinished, noBody, type Suspect } from "./suspect.ts";

/** Against the words of a function's whole body, its texts among them. */
const REFUSALS: Partial<Record<Language["name"], RegExp>> = {
  go: /^(?:return .*errors \. New|panic|return .*fmt \. Errorf) \(.*$/,
  rust: /^(?:todo|unimplemented) ! [([{].*$/,
  braces: /^(?:throw (?:new )?\w.*|TODO \(.*|fatalError \(.*)$/,
  shell: /^(?:echo|printf|return|exit|:|true)\b.*$|^:.*$/,
};
/** These say nothing more, and need not. */
const PLAIN = /^(?:todo|unimplemented) !|^TODO \(|^throw (?:new )?NotImplemented(?:Error|Exception) \(/;

export function otherSuspects(tokens: Token[], { name }: Language): Suspect[] {
  const refusal = REFUSALS[name];
  if (!refusal) return [];
  const open: number[] = [];
  return tokens.flatMap((token, at) => {
    if (token.kind !== "mark" || !/^[{}]$/.test(token.text)) return [];
    if (token.text === "{") {
      open.push(at);
      return [];
    }
    const start = open.pop();
    if (start === undefined || at - start > LONGEST_BODY) return [];
    const heading = headingOf(tokens, start);
    const inside = tokens.slice(start + 1, at).filter(({ text }) => text !== "\n");
    const called = /([\w]+)(?: <.*>)? \(.*\)/.exec(heading)?.[1];
    if (called === undefined || CONTROL.test(called)) return [];
    return refuses(inside, refusal)
      ? [{ line: tokens[start]?.line ?? token.line, lastLine: token.line, message: noBody(`${called}()`) }]
      : [];
  });
}
const LONGEST_BODY = 30;
const LONGEST_HEADING = 60;
const CONTROL = /^(?:if|for|while|switch|catch|else|match|when|synchronized|using|lock)$/;

function headingOf(tokens: Token[], brace: number): string {
  let at = brace - 1;
  while (at >= 0 && brace - at < LONGEST_HEADING && !/^[\n;{}]$/.test(tokens[at]?.text ?? "")) at -= 1;
  return tokens
    .slice(at + 1, brace)
    .map(({ text }) => text)
    .join(" ");
}

function refuses(body: Token[], refusal: RegExp): boolean {
  const code = body.filter(({ kind }) => kind !== "comment");
  const text = code.map((token) => token.text).join(" ");
  const said = code.flatMap((token) => (token.kind === "string" ? [token.text] : [])).join(" ");
  const promised = body.some(({ kind, text: said }) => kind === "comment" && isPromise(said));
  if (code.length === 0) return promised;
  if (!refusal.test(text) || (text.match(/;/g)?.length ?? 0) > 1) return false;
  return PLAIN.test(text) || (isUnfinished(text) && !isLeftToOthers(said)) || (promised && /^(?::|true)/.test(text));
}
