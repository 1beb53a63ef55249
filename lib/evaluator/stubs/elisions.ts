/** Comments that stand where code should: "rest unchanged", "your code here", "TODO: implement". Pure. */
import type { Token } from "./lex.ts";

/** Longer ones explain. */
const LONGEST = 120;

const CODE =
  "(?:code|file|class(?:es)?|functions?|methods?|implementations?|components?|modules?|script|logic|body|contents?|imports?|tests?|test cases|styles?|routes?|handlers?|fields|properties|program|functionality|helpers?|definitions?|cases|setup|config(?:uration)?|markup|rules?|commands?|options)";
const KEPT =
  "(?:(?:remains?|stays?|is|are|continues?|goes|comes|follows?|kept)\\s+)?(?:exactly\\s+)?(?:here|unchanged|unmodified|untouched|as (?:before|is|it was|above)|(?:the )?same(?: as (?:before|above))?|identical|omitted|follows|goes here|not shown)";

/** Each against the comment's words: no comment marks, no outer dots, no case. */
const ALWAYS = [
  `(?:the |all )?(?:rest|remainder)(?: of)?(?: the| this| your| my)?(?: \\S+){0,3}? ?${KEPT}(?: for (?:brevity|clarity|simplicity|now))?`,
  `(?:the |all )?(?:existing|previous|original|remaining|other|unchanged)(?: \\S+)? ${CODE} ${KEPT}(?: for (?:brevity|clarity|simplicity))?`,
  `(?:all |the )?(?:other |remaining |existing )?(?:everything|${CODE})(?: else| above| below)? ${KEPT.replace("here|", "")}`,
  `unchanged|(?:no changes?|unchanged)(?: (?:needed )?(?:here|(?:below|above)(?: this (?:line|point))?)| from (?:before|here|the original))`,
  `(?:everything (?:else )?)?(?:is |stays |remains )?(?:the )?same as (?:before|previously|in the original|the original|the previous)(?: ${CODE}| version)?`,
  `(?:(?:add|insert|put|write|place|paste|implement) )?your (?:own |actual |custom )?(?:${CODE}|text)(?: \\S+){0,3}? (?:goes |comes )?here`,
  `(?:add|insert|put|write|place|implement)(?: the| more| actual| additional| other| real| remaining)* (?:\\S+ ){0,2}?${CODE}(?: \\S+){0,4}? here`,
  `(?:the |actual |real |more )*(?:\\S+ )?(?:implementation|logic|code|body|tests?|content)(?: \\S+){0,3}? (?:goes|comes|to go|will go|should go|would go) here`,
  `(?:the )?(?:actual )?(?:implementation|logic) here`,
  `(?:to be|will be|needs? to be|should be|must be) (?:implemented|completed|written|filled in|continued|added later)(?: later| here| soon)?`,
  `(?:yet to be|will be) implemented(?: later)?`,
  `implement(?: this| me| it| here| later| the rest)+(?: \\S+){0,4}`,
  `(?:please )?fill (?:this |me |it )?in(?: here| later| the \\S+)?`,
  `(?:\\S+ ){0,4}?(?:omitted|elided|shortened|abbreviated|truncated|skipped|left out) for (?:brevity|space|readability)`,
  `(?:rest|remainder|implementation|(?:\\S+ )?code)(?: of \\S+(?: \\S+)?)? (?:omitted|elided|removed|left out)(?: for (?:clarity|simplicity))?`,
  `(?:continue|repeat|similar(?:ly)?|likewise|and so on|same)(?: \\S+){0,2} for (?:the |all )?(?:other|remaining|rest)(?: \\S+){0,4}`,
  `(?:this is )?(?:just |only )?(?:a |an )?(?:simple )?(?:placeholder|stub|dummy|mock)(?: (?:implementation|logic|body|code)(?: \\S+){0,6}| for now|,? (?:replace|implement) \\S.*)`,
  `(?:this is )?(?:a |an )?placeholder|stub|snip(?:ped)?|code continues(?: here| below)?`,
  `placeholder for (?:the |an? )?(?:actual|real|full|complete) .*`,
  `(?:keep|leave) (?:the |all )?(?:rest|remainder|remaining|existing|other)(?: \\S+){0,4} (?:as (?:it )?is|unchanged|as before|the same)`,
  `(?:more|additional|other|further|remaining)(?: \\S+)? ${CODE} (?:goes? |comes? |follows? )?here`,
  `(?:the )?(?:actual )?(?:${CODE}) (?:to be|will be) (?:added|implemented|written|completed)(?: here| later)*`,
  `continue with (?:the )?(?:rest|remaining)(?: \\S+){0,4}`,
  `(?:handle|do) (?:the )?(?:other|remaining) \\S+ (?:similarly|likewise|the same way)`,
  `in a real implementation\\b.*`,
].map((pattern) => new RegExp(`^(?:${pattern})$`));

const TODO =
  /^@?(?:todo|fixme)(?:\([^)]*\))?(?:[:.\-–—]+ ?(?:implement\b(?! (?:this|it) in\b)|(?:complete|finish) \S).{0,80}| ?(?:implement|(?:complete|finish|write|add|fill)(?= ))(?: (?:the|this|it|me|in|of|actual|real|missing|remaining|rest|implementation|logic|body|code|function|method|here|later))*|[:.\-–—]+ ?(?:write|add|fill)(?: (?:the|this|it|me|in|of|actual|real|missing|remaining|rest|implementation|logic|body|code|function|method|here|later))*)$/;

/** Only where dots say that something was there. */
const DOTTED = [
  `(?:keep|leave) (?:the |all )?(?:rest|remainder|remaining|existing|previous|other)\\b.*`,
  `(?:\\S+ )?(?:truncated|omitted|elided|snip|snipped|abbreviated)`,
  `(?:and )?(?:the |all |any |your |with )*(?:rest|remainder|remaining|existing|previous|other|original|more|unchanged|additional|earlier|as before|as above|(?:the )?same (?:as (?:before|above)|for)|similar(?:ly)? (?:for|to|code))\\b.*`,
  `${CODE} (?:as before|here|unchanged|omitted|above)`,
  `(?:\\S+ ){0,3}(?:${CODE}) \\((?:unchanged|as before|same|existing)\\)`,
].map((pattern) => new RegExp(`^(?:${pattern})$`));

/** A promise to write the code later: in a body that holds nothing else it is all there is. */
const PROMISE =
  /\b(?:todo|placeholder|implement (?:this|me|it|later|here|the)|(?:to|will) be implemented|not (?:yet )?implemented|implementation (?:here|pending)|coming soon|fill (?:this |me )?in|(?:logic|code) (?:here|goes|later)|add later|do this later|unfinished|incomplete)\b/i;

export interface Comment {
  text: string;
  /** One line of several that belong together: such a text explains. */
  withOthers: boolean;
}

export function isElision({ text, withOthers }: Comment): boolean {
  if (text.length > 3 * LONGEST) return false;
  const { words, dotted } = wordsOf(text);
  if (words === "" || words.length > LONGEST || /^\/\*\*|^\/\/\//.test(text)) return false;
  if (TODO.test(words) || (dotted && DOTTED.some((one) => one.test(words)))) return true;
  return !withOthers && ALWAYS.some((one) => one.test(words));
}

export const isPromise = (text: string): boolean => PROMISE.test(text) || isElision({ text, withOthers: false });

/** Every comment of a file, and whether another stands right above or below it. */
export function commentsIn(tokens: Token[]): (Token & Comment)[] {
  const comments = tokens.filter(({ kind }) => kind === "comment");
  const places = new Set(comments.map(({ line, column }) => `${line}:${column}`));
  return comments.map((comment) => {
    const { line, column } = comment;
    return { ...comment, withOthers: places.has(`${line - 1}:${column}`) || places.has(`${line + 1}:${column}`) };
  });
}

/** `[existing code]` and `--- existing code ---` name something and do not explain it. */
const isFramed = (comment: string): boolean =>
  /^\W{1,4}\s*(?:\[[^\]]*\]|<[^>]*>|\([^)]*\)|-{2,} ?(?:existing|rest|unchanged|previous)\b[^-]*-{2,})\s*(?:\*\/|-->)?$/.test(
    comment,
  );

function wordsOf(comment: string): { words: string; dotted: boolean } {
  const bare = comment
    .replace(/^(?:\/\*+!?|\/\/+|#+|<!--)/, "")
    .replace(/(?:\*+\/|-->)$/, "")
    .replace(/^[ \t]*\*+/gm, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^[-=~*#\s[({<]+|[-=~*#\s>]+$/g, "");
  const dotted = /^(?:\.{2,}|…)|(?:\.{3}|…)[\])}]*$/.test(bare) || isFramed(comment);
  const words = bare
    .replace(/^[.…[({<\s]+|[.…\])}!:;>\s]+$/g, "")
    .replace(/[’`']/g, "")
    .toLowerCase();
  return { words, dotted };
}
