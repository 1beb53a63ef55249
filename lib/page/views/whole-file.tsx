/** A whole file, with the line that somebody was led to. */
import { useEffect, useRef } from "preact/hooks";
import { ColouredCode } from "./code.tsx";
import type { Content } from "./file-view.tsx";

const CHARS_SHOWN = 500_000;

export function Whole({ path, content, line }: { path: string; content: Content; line?: number }) {
  if ("none" in content) return <p class="quiet">{content.none}</p>;
  const text = content.text.slice(0, CHARS_SHOWN);
  return (
    <div class="whole">
      {line !== undefined && <LineMark line={line} />}
      <ColouredCode path={path} text={text} />
      {text.length < content.text.length && (
        <p class="quiet">{content.text.length - text.length} characters more are not shown: save it to see them.</p>
      )}
    </div>
  );
}

/** Lines are of one height. */
function LineMark({ line }: { line: number }) {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => mark.current?.scrollIntoView({ block: "center" }), [line]);
  return (
    <div ref={mark} class="line-mark" style={{ "--line": String(line - 1) }}>
      <span class="unseen">Line {line}</span>
    </div>
  );
}
