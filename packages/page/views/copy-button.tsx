/** Copies a text, and says that it did. */
import { useEffect, useState } from "preact/hooks";

const SHOWN_MS = 2_000;

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("The browser does not allow it");
    }
  }

  return (
    <button type="button" class="copy" aria-label={said || label} aria-live="polite" onClick={() => void copy()}>
      {said || "Copy"}
    </button>
  );
}
