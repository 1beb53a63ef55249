/** A label around its field, with the problem of what was entered. */
import type { ComponentChildren } from "preact";

interface LabelledProps {
  label: string;
  problem: string | undefined;
  children: ComponentChildren;
}

export const Labelled = ({ label, problem, children }: LabelledProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
  <label>
    {label}
    {children}
    {problem && (
      <span class="lost" role="alert">
        {problem}
      </span>
    )}
  </label>
);
