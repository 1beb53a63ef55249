/** What a file was and what it became, line by line. */
import { diffLines } from "diff";
import { useMemo } from "preact/hooks";
import { reveal } from "../../../lib/core/text/sanitize.ts";
import { htmlLines } from "../browser/highlight.ts";
import { countOf, type DiffRow, diffRows } from "../diff-rows.ts";
import { LinesHtml } from "./code.tsx";
import type { Content } from "./file-view.tsx";

const CHARS_COMPARED = 500_000;
/** Texts that have nothing in common take very long. */
const PATIENCE_MS = 500;

/** What is not there is compared as nothing. */
export function Diff({ path, old, now }: { path: string; old: Content; now: Content }) {
  if ("none" in now && now.bytes) return <p class="quiet">{now.none}</p>;
  if ("none" in old && old.bytes) return <p class="quiet">The file was not text there and cannot be compared.</p>;
  const [was, is] = [textOf(old), textOf(now)];
  const isCut = [was, is].some((text) => text.length > CHARS_COMPARED);
  return (
    <>
      {isCut && (
        <p class="quiet">Only the first {CHARS_COMPARED} characters are compared. Save the file to see the rest.</p>
      )}
      <TextDiff path={path} old={was.slice(0, CHARS_COMPARED)} now={is.slice(0, CHARS_COMPARED)} isCounted />
    </>
  );
}

const textOf = (content: Content): string => ("none" in content ? "" : content.text);

interface TextDiffProps {
  path: string;
  old: string;
  now: string;
  /** Says how many lines came and went. */
  isCounted?: boolean;
}

export function TextDiff({ path, old, now, isCounted = false }: TextDiffProps) {
  const made = useMemo(() => compared({ path, old: reveal(old), now: reveal(now) }), [path, old, now]);
  if (!made) return <p class="quiet">The versions have too little in common to compare. Choose “nothing” above.</p>;
  if (made.added + made.removed === 0) return <p class="quiet">There are no differences.</p>;
  return (
    <>
      {isCounted && (
        <p class="small">
          <span class="good">+{made.added}</span> <span class="lost">−{made.removed}</span>
          <span class="quiet"> lines</span>
        </p>
      )}
      <LinesHtml html={made.html} digits={made.digits} />
    </>
  );
}

interface Texts {
  path: string;
  old: string;
  now: string;
}

function compared({ path, old, now }: Texts) {
  const parts = diffLines(old, now, { timeout: PATIENCE_MS });
  if (!parts) return undefined;
  const rows = diffRows(parts);
  const [oldLines, nowLines] = [htmlLines(path, old), htmlLines(path, now)];
  return {
    html: rows.map((row) => rowHtml(row, oldLines, nowLines)).join(""),
    digits: String(Math.max(oldLines.length, nowLines.length)).length,
    added: countOf(rows, "added"),
    removed: countOf(rows, "removed"),
  };
}

function rowHtml(row: DiffRow, old: string[], now: string[]): string {
  if (row.kind === "left out") return `<span class="left-out">… ${row.lines} lines …</span>`;
  if (row.kind === "removed") return `<del class="line" data-n="${row.old}">${old[row.old - 1]}</del>`;
  const html = now[row.now - 1];
  if (row.kind === "added") return `<ins class="line" data-n="${row.now}">${html}</ins>`;
  return `<span class="line" data-n="${row.now}">${html}</span>`;
}
