/** Tells text that a template engine fills in before anybody parses it. Pure. */

/** Control flow of a template engine: its branches need not fit together. */
const DIRECTIVE =
  /\{%|<%|<\?(?!xml\b)|\{\{[-~]?\s*(?:[#/^>!]|(?:if|else|end|range|with|define|block|template|include|partial|each)\b)|<#\w|\sth:[\w-]+\s*=|^[ \t]*[#%]\s*(?:if|for|foreach|end|endif|endfor)\b/m;
/** A value that the engine will insert. */
const VALUE = /\{\{[-~]?\s*[\w.$@(|"'`-][^{}]*\}\}|\$\{[^{}\n]*\}|\[\[[^[\]\n]*\]\]/;

export const hasDirectives = (text: string): boolean => DIRECTIVE.test(text);

/** As YAML has it: quoted text and comments are text, and `${{ … }}` is a plain word to the parser. */
export const isTemplated = (text: string): boolean => {
  const bare = text.replace(
    /\$\{\{(?:[^{}\n]|\{\d*\})*\}\}|"(?:[^"\\\n]|\\.)*("?)|'[^'\n]*'|(?:^|\s)#[^\n]*/g,
    // A quote that nothing ends quotes nothing.
    (found, end: string | undefined) => (end === "" ? found : ""),
  );
  return bare.includes("{%") || bare.includes("{{") || bare.includes("<%") || /\$\{\w+\}/.test(bare);
};

/** With every value blanked out by a word of the same length, so that all else stays where it is. */
export const withoutValues = (text: string): string =>
  text.replace(new RegExp(VALUE, "g"), (value) => value.replace(/[^\n]/g, "x"));
