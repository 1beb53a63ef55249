/** Selects what the middle of the page shows, and whether long lines wrap. */
import { useWrap } from "../browser/use-wrap.ts";
import type { Navigate, RunRoute } from "../route.ts";

const TABS = [
  ["transcript", "Transcript"],
  ["file", "File"],
  ["charts", "Charts"],
] as const;

export function Tabs({ route, navigate }: { route: RunRoute; navigate: Navigate }) {
  const [isWrapped, wrap] = useWrap();
  return (
    <nav class="tabs" aria-label="What is shown">
      {TABS.map(([tab, label]) => (
        <button
          key={tab}
          type="button"
          aria-pressed={route.tab === tab}
          disabled={tab === "file" && route.file === undefined}
          onClick={() => navigate({ ...route, tab })}
        >
          {label}
        </button>
      ))}
      {route.tab !== "charts" && (
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
