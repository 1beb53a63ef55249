/** What of the run stands in the middle, and whether its long lines are wrapped. */
import { useWrap } from "../browser/use-wrap.ts";
import type { Go, RunPlace } from "../place.ts";

const TABS = [
  ["transcript", "What was said"],
  ["file", "File"],
  ["pictures", "Pictures"],
] as const;

export function Tabs({ place, go }: { place: RunPlace; go: Go }) {
  const [isWrapped, wrap] = useWrap();
  return (
    <nav class="tabs" aria-label="What is shown">
      {TABS.map(([tab, label]) => (
        <button
          key={tab}
          type="button"
          aria-pressed={place.tab === tab}
          disabled={tab === "file" && place.file === undefined}
          onClick={() => go({ ...place, tab })}
        >
          {label}
        </button>
      ))}
      {place.tab !== "pictures" && (
        <label class="check">
          <input type="checkbox" checked={isWrapped} onChange={(event) => wrap(event.currentTarget.checked)} />
          <span>
            Wrap<span class="where-wide"> lines</span>
          </span>
        </label>
      )}
    </nav>
  );
}
