/** The files as they were at the chosen turn, with who changed each last. */
import { useState } from "preact/hooks";
import type { ToldTurn } from "../../core/turn.ts";
import type { Then } from "../timeline.ts";
import type { Go, RunPlace } from "./run-page.tsx";

export function FilesList({
  then,
  turn,
  place,
  go,
}: {
  then: Then;
  turn: ToldTurn | undefined;
  place: RunPlace;
  go: Go;
}) {
  const [like, setLike] = useState("");
  const files = then.files.filter(({ path }) => path.toLowerCase().includes(like.toLowerCase()));
  const changed = new Set(turn?.changes.map(({ path }) => path));
  return (
    <div>
      <label class="search">
        Files ({then.files.length})
        <input
          type="search"
          value={like}
          onInput={(event) => setLike(event.currentTarget.value)}
          placeholder="a part of the path"
        />
      </label>
      {then.files.length === 0 && <p class="quiet">There are no files yet.</p>}
      <ul class="file-list">
        {files.map(({ path, last }) => (
          <li key={path}>
            <button
              type="button"
              aria-current={place.file === path}
              onClick={() => go({ ...place, tab: "file", file: path })}
              title={path}
            >
              <span class="clip start">
                <bdi>{path}</bdi>
              </span>
              <span class={`quiet number${changed.has(path) ? " changed" : ""}`}>
                {last ? `${last.instruction}.${last.turn}` : "given"}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
