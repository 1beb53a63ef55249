/** A search in everything that was said in a run, and in its files. */
import { useEffect, useState } from "preact/hooks";
import { pluralize } from "../../../../lib/core/text/format.ts";
import type { TurnRecord } from "../../../../lib/core/turn/turn.ts";
import { type SearchState, searchRun } from "../../browser/search-run.ts";
import type { Navigate, RunRoute } from "../../route.ts";
import { HitView } from "./hit-view.tsx";

interface SearchViewProps {
  turns: TurnRecord[];
  paths: string[];
  route: RunRoute;
  navigate: Navigate;
}

export function SearchView({ turns, paths, route, navigate }: SearchViewProps) {
  const { id, find = "" } = route;
  const state = useSearch({ id, wanted: find, turns, paths });
  return (
    <section aria-label="Search">
      <form
        class="search-form"
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = String(new FormData(event.currentTarget).get("find") ?? "").trim();
          const { find: _, ...others } = route;
          navigate(wanted === "" ? others : { ...others, find: wanted });
        }}
      >
        <input key={find} type="search" name="find" aria-label="Search turns and files" defaultValue={find} />
        <button type="submit">Search</button>
      </form>
      {state && (
        <p class="quiet" role="status">
          {state.done < state.of
            ? `Searched ${state.done} of ${state.of} turns and files…`
            : foundWords(state.hits.length)}
        </p>
      )}
      <ol>
        {state?.hits.map((hit) => (
          <HitView key={"path" in hit ? hit.path : `${hit.turn.instruction}.${hit.turn.turn}`} id={id} hit={hit} />
        ))}
      </ol>
    </section>
  );
}

const foundWords = (count: number): string =>
  count === 0 ? "No turn and no file has it." : `In ${pluralize(count, "place")}.`;

type Searched = Pick<SearchViewProps, "turns" | "paths"> & { id: string; wanted: string };

/** Again only for another text: a run that goes on does not start it again. */
function useSearch({ id, wanted, turns, paths }: Searched): SearchState | undefined {
  const [state, setState] = useState<SearchState>();
  useEffect(() => {
    setState(undefined);
    if (wanted === "") return;
    const ending = new AbortController();
    void searchRun({ id, wanted, turns, paths, onUpdate: setState, signal: ending.signal });
    return () => ending.abort();
  }, [id, wanted]);
  return state;
}
