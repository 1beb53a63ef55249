/** Text that keeps its lines: long ones scroll, also by the keyboard. */
import type { ComponentChildren } from "preact";
import { highlighted } from "../browser/highlight.ts";

export const Code = ({ children }: { children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
  <pre class="code" tabIndex={0}>
    {children}
  </pre>
);

export function ColouredCode({ path, text }: { path: string; text: string }) {
  const html = highlighted(path, text);
  // Every character of the text is escaped in it.
  return <Code>{html === undefined ? <code>{text}</code> : <code dangerouslySetInnerHTML={{ __html: html }} />}</Code>;
}
