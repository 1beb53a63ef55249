/** A side of the page: on narrow screens it is folded to one line until it is opened. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

interface FoldProps {
  name: string;
  label: string;
  /** Shown while folded. */
  summary: string;
  /** Folds again when this changes. */
  until: unknown;
  children: ComponentChildren;
}

export function Fold({ name, label, summary, until, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [until]);
  return (
    <nav class={`${name} fold${isOpen ? " open" : ""}`} aria-label={label}>
      <button type="button" class="folding" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="clip">{summary}</span>
        <span class="quiet">{label}</span>
      </button>
      <div class="folded">{children}</div>
    </nav>
  );
}
