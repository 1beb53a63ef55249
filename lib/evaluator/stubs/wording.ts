/** Comments that may replace code: "rest unchanged", "your code here", "simplified for now". Advice only. Pure. */
import type { Token } from "../../core/text/lex.ts";

/** Longer comments explain. */
const LONGEST = 120;
const CODE =
  "(?:code|file|class(?:es)?|functions?|methods?|implementations?|components?|logic|body|contents?|imports?|tests?|test cases|styles?|routes?|handlers?|fields|rows|page|cases|config(?:uration)?)";
const LEFT = "(?:unchanged|untouched|as before|as (?:it )?is|(?:the )?same|omitted|not shown|(?:goes )?here)";

/** Matched against the words of a comment: without its marks, without outer dots, in lower case. */
const ALWAYS = [
  `(?:keep |leave )?(?:the |all )?(?:rest|remainder|existing|previous|original|remaining|other|unchanged)\\b(?: \\S+){0,5} ${LEFT}(?: as (?:before|above)| for (?:brevity|clarity|now))?`,
  `unchanged|no changes?(?: needed)?(?: (?:here|(?:below|above)(?: this (?:line|point))?))|same as (?:before|previously|in the original)`,
  `(?:(?:add|insert|put|write|place|implement) )?(?:your|more|actual|additional|other)(?: \\S+){0,2} ${CODE}(?: \\S+){0,4}? here`,
  `(?:the |actual |real )*(?:\\S+ )?${CODE}(?: (?:goes|comes|to go|should go))? here|${CODE} (?:to be|will be) (?:added|implemented|written).*`,
  `(?:\\S+ ){0,4}?(?:omitted|elided|shortened|abbreviated|truncated|skipped|left out) for (?:brevity|space|clarity|simplicity)`,
  `(?:continue|repeat|similar(?:ly)?|likewise|same)(?: \\S+){0,2} (?:for|with) (?:the |all )?(?:other|remaining|rest)(?: \\S+){0,4}`,
  `(?:to be|will be|yet to be|not yet|needs? to be) (?:implemented|completed|written|filled in|added later)(?: later| here)?`,
  `(?:this is )?(?:just |only )?(?:a |an )?(?:simple )?(?:placeholder|stub|dummy|mock)(?: (?:implementation|logic|body|code|value)\\b.*| for (?:now|the (?:actual|real|full)).*)?`,
  `@?(?:todo|fixme)\\b\\W*(?:implement(?! (?:this|it) in\\b)|complete|finish|write|add|fill)\\b.*`,
  `in a real (?:implementation|application|app|system)\\b.*|(?:\\S+ ){0,6}(?:simplified|hard-?coded)? ?for now|simplified (?:version|implementation)\\b.*`,
].map((pattern) => new RegExp(`^(?:${pattern})$`));

/** Only where dots say that something was there. */
const DOTTED =
  /\b(?:rest|remainder|remaining|existing|previous|other|original|more|unchanged|additional|earlier|truncated|omitted|elided|snip(?:ped)?|same|similar|as (?:before|above))\b/;

/** Every comment that may replace code, with its words on one line. */
export function elisionsIn(tokens: Token[]): { line: number; comment: string }[] {
  const comments = tokens.filter(({ kind }) => kind === "comment");
  const places = new Set(comments.map(({ line, column }) => `${line}:${column}`));
  return comments.flatMap(({ text, line, column }) => {
    // One line of several explains.
    const isAlone = !places.has(`${line - 1}:${column}`) && !places.has(`${line + 1}:${column}`);
    return isElision(text, isAlone) ? [{ line, comment: text.replace(/\s+/g, " ") }] : [];
  });
}

function isElision(comment: string, isAlone: boolean): boolean {
  if (comment.length > 3 * LONGEST || /^\/\*\*|^\/\/\//.test(comment)) return false;
  const bare = comment
    .replace(/^(?:\/\*+!?|\/\/+|#+|<!--)|(?:(?<!\*)\*+\/|-->)$/g, "")
    .replace(/^[ \t]*\*+/gm, " ")
    .replace(/\s+/g, " ")
    .trim();
  const framed = /^(?:\[[^\]]*\]|<[^>]*>|\([^)]*\)|-{2,} ?(?:existing|rest|unchanged|previous)\b[^-]*-{2,})$/.test(
    bare,
  );
  const words = bare
    .replace(/^[-=~*#\s.…[({<]+|[-=~*#\s.…\])}!:;>]+$/g, "")
    .replace(/[’`']/g, "")
    .toLowerCase();
  if (words === "" || words.length > LONGEST) return false;
  const isDotted = framed || /^[-=~*#\s[({<]*(?:\.{2,}|…)|(?:\.{3}|…)[\])}>]*$/.test(bare);
  return (isDotted && DOTTED.test(words)) || (isAlone && ALWAYS.some((one) => one.test(words)));
}
