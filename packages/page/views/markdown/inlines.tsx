/** Words and marks within a paragraph of Markdown, as elements. */
import {
  characters,
  isLineBreakTag,
  type MarkdownToken,
  partsOf,
  plainText,
  withoutTags,
} from "../../../book/index.ts";

export interface Reading {
  /** The address for a link of the text; undefined: it is shown as it is written. */
  linkOf: (href: string) => string | undefined;
  /** What happens to raw HTML. */
  tags: "shown" | "dropped";
}

const NESTED_AT_MOST = 8;

interface InlinesProps {
  tokens: MarkdownToken[];
  reading: Reading;
  depth?: number;
}

export function Inlines({ tokens, reading, depth = 0 }: InlinesProps) {
  if (depth > NESTED_AT_MOST) return <>{plainText(tokens)}</>;
  return (
    <>
      {tokens.map((token, index) => (
        <Inline key={index} token={token} reading={reading} depth={depth} />
      ))}
    </>
  );
}

function Inline({ token, reading, depth }: { token: MarkdownToken; reading: Reading; depth: number }) {
  const inner = () => <Inlines tokens={partsOf(token as { tokens?: [] })} reading={reading} depth={depth + 1} />;
  switch (token.type) {
    case "text":
      return token.tokens ? inner() : characters(token.text);
    case "escape":
      return token.text;
    case "codespan":
      return <code>{token.text}</code>;
    case "em":
      return <em>{inner()}</em>;
    case "strong":
      return <strong>{inner()}</strong>;
    case "del":
      return <s>{inner()}</s>;
    case "br":
      return <br />;
    case "checkbox":
      return <>{token.checked ? "☑ " : "☐ "}</>;
    case "link":
      return <Link raw={token.raw} url={reading.linkOf(characters(token.href))} inner={inner} />;
    case "image":
      return <span class="quiet">[{characters(token.text) || "image"}]</span>;
    case "html":
      return <>{isLineBreakTag(token.raw) ? <br /> : reading.tags === "shown" ? token.raw : withoutTags(token.raw)}</>;
    default:
      return <>{token.raw}</>;
  }
}

/** The page gives no referrer away, and stays open. */
function Link({ raw, url, inner }: { raw: string; url: string | undefined; inner: () => preact.ComponentChildren }) {
  if (url === undefined) return <>{raw}</>;
  if (url.startsWith("#")) return <a href={url}>{inner()}</a>;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {inner()}
    </a>
  );
}
