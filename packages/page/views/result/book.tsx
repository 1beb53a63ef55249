/** A book of the run: its chapters one by one, and its readable forms. */
import { useState } from "preact/hooks";
import type { RunView } from "../../../../lib/api/answers.ts";
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import { BookForms } from "./book-forms.tsx";
import { Document } from "./document.tsx";

interface BookProps {
  run: RunView;
  chapters: string[];
  has: (path: string) => boolean;
}

export function Book({ run, chapters, has }: BookProps) {
  const [chosen, choose] = useState(0);
  const path = chapters[chosen];
  if (path === undefined) return <p class="quiet">The run has no chapters.</p>;
  return (
    <BookForms run={run}>
      <div class="chapters">
        <button type="button" disabled={chosen === 0} onClick={() => choose(chosen - 1)}>
          Previous chapter
        </button>
        <select aria-label="Chapter" value={chosen} onChange={(event) => choose(Number(event.currentTarget.value))}>
          {chapters.map((chapter, index) => (
            <option key={chapter} value={index}>
              {reveal(chapter)}
            </option>
          ))}
        </select>
        <button type="button" disabled={chosen === chapters.length - 1} onClick={() => choose(chosen + 1)}>
          Next chapter
        </button>
      </div>
      <Document key={path} run={run} path={path} has={has} />
    </BookForms>
  );
}
