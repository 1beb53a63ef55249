/** A field for a few sentences. */
import { Labelled } from "./labelled.tsx";

interface WordsProps {
  name: string;
  label: string;
  problem: string | undefined;
}

export const Words = ({ name, label, problem }: WordsProps) => (
  <Labelled label={label} problem={problem}>
    <textarea name={name} rows={4} aria-invalid={problem !== undefined} />
  </Labelled>
);
