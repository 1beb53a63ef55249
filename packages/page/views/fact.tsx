/** One figure of a run with its name, and a bar for shares. */
import type { ComponentChildren } from "preact";

interface FactProps {
  name: string;
  value: string;
  isCode?: boolean;
  children?: ComponentChildren;
}

export const Fact = ({ name, value, isCode = false, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {isCode ? <code>{value}</code> : value}
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
