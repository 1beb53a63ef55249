/** Who says something in a turn. */
import type { ComponentChildren } from "preact";
import { CopyButton } from "../copy-button.tsx";

interface SpeechProps {
  who: "System" | "Machine" | "Model" | "Tool" | "You";
  /** Offered to be copied. */
  text?: string;
  children: ComponentChildren;
}

export const Speech = ({ who, text, children }: SpeechProps) => (
  <section class={`speech by-${who.toLowerCase()}`} aria-label={who}>
    <p class="who">
      <span>{who}</span>{" "}
      {text !== undefined && (
        <CopyButton text={text} label={who === "You" ? "Copy the answer" : "Copy what the model wrote"} />
      )}
    </p>
    {children}
  </section>
);
