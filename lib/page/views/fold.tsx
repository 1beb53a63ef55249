/** A side of the page: where there is little room it is folded to a line, until somebody opens it or has chosen in it. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

interface Given {
  name: string;
  label: string;
  /** What its line says. */
  says: string;
  /** It folds again where this is another one. */
  until: unknown;
  children: ComponentChildren;
}

export function Fold({ name, label, says, until, children }: Given) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [until]);
  return (
    <nav class={`${name} fold${isOpen ? " open" : ""}`} aria-label={label}>
      <button type="button" class="folding" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="clip">{says}</span>
        <span class="quiet">{label}</span>
      </button>
      <div class="folded">{children}</div>
    </nav>
  );
}
