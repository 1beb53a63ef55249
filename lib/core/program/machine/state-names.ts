/** How the states of an instruction are named: its place first, which makes the name unique, then what it does. Pure. */
import { ellipsis } from "../../text/cut.ts";
import { maskSecrets } from "../../text/secrets.ts";
import { conditionText } from "../language/condition-text.ts";
import type { ProgramNode } from "../language/schema.ts";

/** Of Step Functions. */
export const NAME_CHARS = 80;

/** These could be a placeholder, markup or an escape in the console, the template or the definition: wide forms cannot. */
const SPECIAL = /[#$%&*<>[\\\]^{|}~]/g;
/** A parameter is shown by its name. */
const PARAMETER = /\{\{(\w{1,40})\}\}/g;
const QUOTES = /["`]/g;
/** Control characters, emoji and other symbols. */
const UNNAMED = /[^\p{L}\p{N}\p{M}\uFF01-\uFF5E .,:;()'+=_@/!?-]+/gu;

const WIDER = 0xfee0;
const widen = (character: string): string => String.fromCharCode(character.charCodeAt(0) + WIDER);

const inNames = (words: string): string =>
  words
    .replace(PARAMETER, "$1")
    .replace(SPECIAL, widen)
    .replace(QUOTES, "'")
    .replace(UNNAMED, " ")
    .replace(/ {2,}/g, " ");

export const stateName = (place: string, words: string): string =>
  ellipsis(`${place} ${inNames(maskSecrets(words))}`.trim(), NAME_CHARS);

/** What the state of an instruction is called, without its place. */
export function wordsOf(node: ProgramNode): string {
  if (node.kind === "do") return node.title;
  return [node.title, doing(node)].filter(Boolean).join(": ");
}

function doing(node: Exclude<ProgramNode, { kind: "do" }>): string {
  switch (node.kind) {
    case "ask":
      return node.title === undefined ? `ask ${node.question}` : "ask";
    case "call":
      return `call ${node.program}`;
    case "if":
      return `if ${conditionText(node.condition)}`;
    case "for_each":
      return `for each ${node.as}`;
    case "repeat":
      return `repeat until ${conditionText(node.until)}`;
    case "assert":
      return `assert ${conditionText(node.check)}`;
    default:
      return node.kind;
  }
}
