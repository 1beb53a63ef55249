/** Foreign Markdown as elements: no tag, link or image of it is passed on as written. */
import { useMemo } from "preact/hooks";
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import { type MarkdownToken, markdownReader } from "../../../book/index.ts";
import { Code } from "../code.tsx";
import { Blocks } from "./blocks.tsx";
import type { Reading } from "./inlines.tsx";

export interface MarkdownProps extends Partial<Reading> {
  text: string;
}

/** Longer texts are shown as they are. */
const CHARACTERS = 400_000;
/** About half a second of reading at worst. */
const COST = 20_000_000;

export function Markdown({ text, linkOf = () => undefined, tags = "shown" }: MarkdownProps) {
  const tokens = useMemo((): MarkdownToken[] | undefined => {
    return text.length > CHARACTERS ? undefined : markdownReader(COST)(reveal(text).replace(/\r\n?/g, "\n"));
  }, [text]);
  if (!tokens) return <Code>{text}</Code>;
  return (
    <div class="prose">
      <Blocks tokens={tokens} reading={{ linkOf, tags }} />
    </div>
  );
}
