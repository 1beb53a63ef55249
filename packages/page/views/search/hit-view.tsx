/** A turn or a file in which a text was found, with the passages. */
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import type { SearchHit } from "../../browser/search-run.ts";
import { hashOf, placeOf } from "../../route.ts";
import { nameOf } from "../../turn-summary.ts";

export function HitView({ id, hit }: { id: string; hit: SearchHit }) {
  const place = { view: "run", id } as const;
  const link = (line: number): string =>
    "path" in hit
      ? hashOf({ ...place, tab: "file", file: hit.path, line })
      : hashOf({ ...place, tab: "transcript", ...placeOf(hit.turn) });
  return (
    <li class="hit">
      <a href={link(hit.passages[0]?.line ?? 1)}>{"path" in hit ? reveal(hit.path) : nameOf(hit.turn)}</a>
      <ul class="findings">
        {hit.passages.map(({ before, match, after, line }) => (
          <li key={line}>
            {"path" in hit && <a href={link(line)}>{line}</a>} {reveal(before)}
            <mark>{reveal(match)}</mark>
            {reveal(after)}
          </li>
        ))}
      </ul>
    </li>
  );
}
