/** What a file was and what it became, line by line. */
import { diffLines } from "diff";
import { useMemo } from "preact/hooks";
import { Code } from "./code.tsx";
import type { Content } from "./file-view.tsx";

const CHARS_SHOWN = 500_000;
/** Texts that have nothing in common take very long. */
const PATIENCE_MS = 1_000;

/** What is not there is compared as nothing. */
export function Diff({ old, now }: { old: Content; now: Content }) {
  const parts = useMemo(() => diffLines(textOf(old), textOf(now), { timeout: PATIENCE_MS }), [old, now]);
  if ("none" in now && now.bytes) return <p class="quiet">{now.none}</p>;
  if (!parts) return <p class="quiet">They have too little in common to be compared here.</p>;
  if (parts.every(({ added, removed }) => !added && !removed)) return <p class="quiet">It is the same there.</p>;
  return (
    <Code>
      {parts.map((part, index) => (
        <DiffPart key={index} {...part} />
      ))}
    </Code>
  );
}

const textOf = (content: Content): string => ("none" in content ? "" : content.text.slice(0, CHARS_SHOWN));

const UNCHANGED_SHOWN = 3;

function DiffPart({ added, removed, value }: { added?: boolean; removed?: boolean; value: string }) {
  const lines = value.replace(/\n$/, "").split("\n");
  if (added) return <ins>{lines.map((line) => `+ ${line}\n`).join("")}</ins>;
  if (removed) return <del>{lines.map((line) => `- ${line}\n`).join("")}</del>;
  const hidden = lines.length - 2 * UNCHANGED_SHOWN;
  const shown =
    hidden > 1 ? [...lines.slice(0, UNCHANGED_SHOWN), `… ${hidden} lines …`, ...lines.slice(-UNCHANGED_SHOWN)] : lines;
  return <span>{shown.map((line) => `  ${line}\n`).join("")}</span>;
}
