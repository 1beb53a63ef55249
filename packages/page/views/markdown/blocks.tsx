/** Paragraphs, lists, tables and code of Markdown as elements. */
import { type MarkdownToken, partsOf, plainText, withoutTags } from "../../../book/index.ts";
import { Code } from "../code.tsx";
import { Inlines, type Reading } from "./inlines.tsx";
import { Table } from "./table.tsx";

/** What nests deeper is shown as plain text. */
const NESTED_AT_MOST = 12;

interface BlocksProps {
  tokens: MarkdownToken[];
  reading: Reading;
  depth?: number;
}

export function Blocks({ tokens, reading, depth = 0 }: BlocksProps) {
  if (depth > NESTED_AT_MOST) return <p>{plainText(tokens)}</p>;
  return (
    <>
      {tokens.map((token, index) => (
        <Block key={index} token={token} reading={reading} depth={depth} />
      ))}
    </>
  );
}

function Block({ token, reading, depth }: { token: MarkdownToken; reading: Reading; depth: number }) {
  const inner = () => <Blocks tokens={partsOf(token as { tokens?: [] })} reading={reading} depth={depth + 1} />;
  switch (token.type) {
    case "heading":
      return <Heading depth={token.depth}>{<Inlines tokens={partsOf(token)} reading={reading} />}</Heading>;
    case "code":
      return <Code>{token.text}</Code>;
    case "blockquote":
      return <blockquote>{inner()}</blockquote>;
    case "list": {
      const items = token.items.map((item, index) => (
        <li key={index}>
          <Blocks tokens={partsOf(item)} reading={reading} depth={depth + 1} />
        </li>
      ));
      return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return <Table table={token} reading={reading} />;
    case "hr":
      return <hr />;
    case "html":
      return <Html raw={token.raw} reading={reading} />;
    case "paragraph":
      return (
        <p>
          <Inlines tokens={partsOf(token)} reading={reading} />
        </p>
      );
    case "footnoteDefinition":
      return <p class="quiet">{token.raw}</p>;
    case "space":
    case "def":
      return null;
    default:
      return <Inlines tokens={[token]} reading={reading} />;
  }
}

/** The page has headings of its own above them. */
function Heading({ depth, children }: { depth: number; children: preact.ComponentChildren }) {
  const Name = depth === 1 ? "h3" : depth === 2 ? "h4" : "h5";
  return <Name>{children}</Name>;
}

function Html({ raw, reading }: { raw: string; reading: Reading }) {
  const text = (reading.tags === "shown" ? raw : withoutTags(raw)).trim();
  return text === "" ? null : <p class="said">{text}</p>;
}
