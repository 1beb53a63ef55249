/** Text that keeps its lines: long ones scroll, also by the keyboard. */
import type { ComponentChildren } from "preact";
import { highlighted } from "../browser/highlight.ts";

export const Code = ({ children }: { children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
  <pre class="code" tabIndex={0}>
    {children}
  </pre>
);

/** What is wider than the window scrolls in itself. */
export const Wide = ({ children, label, html }: { children?: ComponentChildren; label: string; html?: string }) => (
  <section
    class="wide"
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
    tabIndex={0}
    {...(html === undefined ? {} : { dangerouslySetInnerHTML: { __html: html } })}
  >
    {children}
  </section>
);

export function ColouredCode({ path, text }: { path: string; text: string }) {
  const html = highlighted(path, text);
  // Every character of the text is escaped in it.
  return <Code>{html === undefined ? <code>{text}</code> : <code dangerouslySetInnerHTML={{ __html: html }} />}</Code>;
}
