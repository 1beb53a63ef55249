/** Selects what the middle of the page shows, and whether long lines wrap. */

import type { RunView } from "../../../lib/api/answers.ts";
import { isEnded, waitsForApproval } from "../../../lib/core/run/run.ts";
import { useWrap } from "../browser/use-wrap.ts";
import { type Navigate, type RunRoute, type Tab, tabOf } from "../route.ts";

const TABS = [
  ["result", "Result"],
  ["program", "Program"],
  ["transcript", "Transcript"],
  ["file", "File"],
  ["charts", "Charts"],
  ["search", "Search"],
] as const;

/** What they show does not depend on a turn. */
const isOfWhole = (tab: Tab): boolean => tab === "result" || tab === "program";

interface TabsProps {
  run: RunView;
  route: RunRoute;
  navigate: Navigate;
}

export function Tabs({ run, route, navigate }: TabsProps) {
  const [isWrapped, wrap] = useWrap();
  const shown = tabOf(route, run);
  const isEmpty = (tab: Tab): boolean =>
    (tab === "file" && route.file === undefined) || (tab === "result" && !isEnded(run.status));
  return (
    <nav class="tabs" aria-label="What is shown">
      {TABS.filter(([tab]) => tab !== "program" || waitsForApproval(run)).map(([tab, label]) => (
        <button
          key={tab}
          type="button"
          aria-pressed={shown === tab}
          disabled={isEmpty(tab)}
          onClick={() => navigate(isOfWhole(tab) ? { view: "run", id: run.id, tab } : { ...route, tab })}
        >
          {label}
        </button>
      ))}
      {(shown === "transcript" || shown === "file") && (
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
