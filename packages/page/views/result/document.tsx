/** One file of the result as a text to read. */
import type { RunView } from "../../../../lib/api/answers.ts";
import { decodeText } from "../../../../lib/core/text/file-text.ts";
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import { askBytes } from "../../browser/ask.ts";
import { useAnswer } from "../../browser/use-answer.ts";
import { isMarkdown } from "../../result-files.ts";
import { hashOf } from "../../route.ts";
import { Code } from "../code.tsx";
import { linkTarget } from "../markdown/link-target.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Loading } from "../waiting.tsx";

interface DocumentProps {
  run: RunView;
  path: string;
  has: (path: string) => boolean;
}

const BYTES = 1_048_576;

export function Document({ run: { id, packed }, path, has }: DocumentProps) {
  const query = new URLSearchParams({ path, ...(packed > 0 ? { at: String(packed) } : {}) });
  const address = `/runs/${id}/file?${query}`;
  const content = useAnswer(address, (signal) => askBytes(address, { signal, most: BYTES }));
  if (!content) return <Loading what={`Loading ${path}`} />;
  if ("problem" in content) return <p class="lost">{reveal(content.problem)}</p>;
  const text = decodeText(content.value);
  if (text === undefined) return <p class="quiet">{reveal(path)} is not text.</p>;
  const linkOf = (href: string): string | undefined => {
    const target = linkTarget(href, path);
    if (!target || "url" in target) return target?.url;
    return has(target.path) ? hashOf({ view: "run", id, tab: "file", file: target.path }) : undefined;
  };
  return isMarkdown(path) ? <Markdown text={text} linkOf={linkOf} tags="dropped" /> : <Code>{text}</Code>;
}
