/** Tokens as text without marks: for titles, for addresses of headings, for what is nested too deep. */
import { characters } from "./character-references.ts";
import { withoutTags } from "./clean-html.ts";
import { type MarkdownToken, partsOf } from "./markdown.ts";

export const plainText = (tokens: MarkdownToken[]): string => textOfAll(tokens).replace(/\s+/g, " ").trim();

const textOfAll = (tokens: MarkdownToken[]): string => tokens.map(textOf).join("");

function textOf(token: MarkdownToken): string {
  switch (token.type) {
    case "escape":
    case "codespan":
    case "code":
      return token.text;
    case "text":
      return token.tokens ? textOfAll(partsOf(token)) : characters(token.text);
    case "link":
      return token.autolink ? token.text : textOfAll(partsOf(token));
    case "image":
      return characters(token.text);
    case "html":
      return characters(withoutTags(token.raw));
    case "em":
    case "strong":
    case "del":
      return textOfAll(partsOf(token));
    case "list":
      return token.items.map((item) => ` ${textOfAll(partsOf(item))}`).join("");
    case "table":
      return [token.header, ...token.rows]
        .flat()
        .map((cell) => ` ${textOfAll(partsOf(cell))}`)
        .join("");
    case "heading":
    case "paragraph":
    case "blockquote":
      return ` ${textOfAll(partsOf(token))} `;
    case "br":
    case "space":
      return " ";
    default:
      return "";
  }
}
