/** Text that keeps its lines: long ones scroll, also by the keyboard. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { reveal } from "../../../lib/core/text/sanitize.ts";
import { htmlLines } from "../browser/highlight.ts";
import { escaped } from "../code-lines.ts";

/** What scrolls must be reached without a mouse. */
const REACHED = 0;

export const Code = ({ children }: { children: string }) => (
  <pre class="code" tabIndex={REACHED}>
    {reveal(children)}
  </pre>
);

/** What is wider than the window scrolls in itself. */
export const Wide = ({ children, label, html }: { children?: ComponentChildren; label: string; html?: string }) => (
  <section
    class="wide"
    aria-label={label}
    tabIndex={REACHED}
    {...(html === undefined ? {} : { dangerouslySetInnerHTML: { __html: html } })}
  >
    {children}
  </section>
);

interface CodeLinesProps {
  path: string;
  text: string;
  /** The highlighted line, from 1. */
  marked?: number;
  /** Where each line comes from, in a few characters. */
  origins?: string[];
}

/** Coloured, and with the numbers of its lines. */
export function CodeLines({ path, text, marked, origins }: CodeLinesProps) {
  const whole = reveal(text).replace(/\n$/, "");
  const lines = htmlLines(path, whole);
  const digits = String(lines.length).length;
  const margins = origins && marginsOf(origins, digits);
  const html = lines.map((line, index) => lineHtml(line, { isMarked: index + 1 === marked, margin: margins?.[index] }));
  return <LinesHtml html={html.join("")} digits={margins?.[0]?.length ?? digits} />;
}

/** With the numbers of the lines, all of the same width. */
function marginsOf(origins: string[], digits: number): string[] {
  const width = Math.max(0, ...origins.map(({ length }) => length));
  return origins.map((origin, index) => `${origin.padEnd(width)} ${String(index + 1).padStart(digits)}`);
}

const lineHtml = (html: string, { isMarked, margin }: { isMarked: boolean; margin: string | undefined }): string => {
  const number = margin === undefined ? "" : ` data-n="${escaped(margin)}"`;
  return `<span class="line${isMarked ? " marked" : ""}"${number}>${html || "\u200b"}</span>`;
};

/** Every character of a text is escaped in it. */
export const LinesHtml = ({ html, digits }: { html: string; digits: number }) => (
  <pre class="code numbered" tabIndex={REACHED} style={{ "--digits": String(digits) }}>
    <code dangerouslySetInnerHTML={{ __html: html }} />
  </pre>
);

interface WholeProps {
  path: string;
  text: string;
  line?: number;
  origins?: string[];
}

const CHARS_SHOWN = 500_000;

/** A whole file, scrolled to the line. */
export function Whole({ path, text, line, origins }: WholeProps) {
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => whole.current?.querySelector(".marked")?.scrollIntoView({ block: "center" }), [line, text]);
  if (text === "") return <p class="quiet">The file is empty.</p>;
  const shown = text.slice(0, CHARS_SHOWN);
  return (
    <div ref={whole}>
      {line !== undefined && <p class="quiet">Line {line}</p>}
      <CodeLines
        {...{ path, text: shown }}
        {...(line === undefined ? {} : { marked: line })}
        {...(origins ? { origins } : {})}
      />
      {shown.length < text.length && (
        <p class="quiet">{text.length - shown.length} more characters are not shown. Save the file to see them.</p>
      )}
    </div>
  );
}
