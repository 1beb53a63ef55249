/** A whole file, with the line that somebody was led to. */
import { useEffect, useRef } from "preact/hooks";
import { CodeLines } from "./code.tsx";
import type { Content } from "./file-view.tsx";

const CHARS_SHOWN = 500_000;

export function Whole({ path, content, line }: { path: string; content: Content; line?: number }) {
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => whole.current?.querySelector(".marked")?.scrollIntoView({ block: "center" }), [line, content]);
  if ("none" in content) return <p class="quiet">{content.none}</p>;
  if (content.text === "") return <p class="quiet">It is empty.</p>;
  const text = content.text.slice(0, CHARS_SHOWN);
  return (
    <div ref={whole}>
      {line !== undefined && <p class="quiet">Line {line}</p>}
      <CodeLines path={path} text={text} {...(line === undefined ? {} : { marked: line })} />
      {text.length < content.text.length && (
        <p class="quiet">{content.text.length - text.length} characters more are not shown: save it to see them.</p>
      )}
    </div>
  );
}
