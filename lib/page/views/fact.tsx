/** One number of a run with its name, and how much of a whole it is. */
import type { ComponentChildren } from "preact";

interface FactGiven {
  is: string;
  says: string;
  isCode?: boolean;
  children?: ComponentChildren;
}

export const Fact = ({ is, says, isCode = false, children }: FactGiven) => (
  <div>
    <dt>{is}</dt>
    <dd>
      {isCode ? <code>{says}</code> : says}
      {children}
    </dd>
  </div>
);

/** `of`: from 0 to 1. */
export const Share = ({ label, of }: { label: string; of: number }) => (
  <progress aria-label={label} max={1} value={of} class={of >= ALMOST ? "almost" : ""}>
    {Math.round(of * 100)} %
  </progress>
);

const ALMOST = 0.8;
