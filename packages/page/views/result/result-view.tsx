/** What a run made: how to start it, what was checked, what it cost, and the text to read first. */
import type { RunView } from "../../../../lib/api/answers.ts";
import { chapterPaths } from "../../../../lib/core/program/chapter-files.ts";
import type { RunSnapshot } from "../../../../lib/core/run/history.ts";
import { readmeIn } from "../../result-files.ts";
import { Book } from "./book.tsx";
import { Document } from "./document.tsx";
import { ResultFacts } from "./result-facts.tsx";

export function ResultView({ run, snapshot }: { run: RunView; snapshot: RunSnapshot }) {
  const paths = snapshot.files().map(({ path }) => path);
  const readme = readmeIn(paths);
  return (
    <article class="result" aria-label="Result">
      <ResultFacts run={run} />
      {run.options.domain === "book" ? (
        <Book run={run} chapters={chapterPaths(paths)} has={snapshot.has} />
      ) : readme === undefined ? (
        <p class="quiet">{paths.length > 0 ? "There is no README among the files." : "The run has no files."}</p>
      ) : (
        <Document run={run} path={readme} has={snapshot.has} />
      )}
    </article>
  );
}
