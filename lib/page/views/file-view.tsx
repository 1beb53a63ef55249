/** One file as it was at the chosen turn: whole, or as what the turn before its last change became. */
import { diffLines } from "diff";
import { useEffect, useState } from "preact/hooks";
import type { RunView } from "../../api/answers.ts";
import type { ToldTurn } from "../../core/turn.ts";
import { askBytes, Refused } from "../browser/ask.ts";
import { nameOf, type Then } from "../timeline.ts";
import { Code, ColouredCode } from "./code.tsx";

interface Given {
  run: RunView;
  turn: ToldTurn | undefined;
  seen: ToldTurn[];
  then: Then;
  path: string;
}

export function FileView({ run, turn, seen, then, path }: Given) {
  const [wantsDiff, setDiff] = useState(false);
  const last = then.files.find((file) => file.path === path)?.last;
  const before = last && seen[seen.indexOf(last) - 1];
  const at = turn ? `${turn.instruction}.${turn.turn}` : undefined;
  const text = useFile({ id: run.id, path, at });
  const old = useFile({
    id: run.id,
    path,
    at: before ? `${before.instruction}.${before.turn}` : "0",
    isWanted: wantsDiff,
  });
  return (
    <article>
      <h2>
        <bdi>{path}</bdi>
      </h2>
      <p class="quiet">
        {last ? `Last changed in ${nameOf(last)}.` : "It came with the task."}{" "}
        <label class="check">
          <input
            type="checkbox"
            checked={wantsDiff}
            disabled={!last}
            onChange={(event) => setDiff(event.currentTarget.checked)}
          />{" "}
          what that changed
        </label>
      </p>
      {wantsDiff && last ? <Diff old={old} now={text} /> : <Whole path={path} content={text} />}
    </article>
  );
}

type Content = { text: string } | { none: string } | undefined;

interface Wanted {
  id: string;
  path: string;
  at: string | undefined;
  isWanted?: boolean;
}

/** What cannot be shown as text is not: a browser saves it. */
function useFile({ id, path, at, isWanted = true }: Wanted): Content {
  const [content, setContent] = useState<Content>();
  useEffect(() => {
    if (!isWanted) return;
    const ending = new AbortController();
    setContent(undefined);
    const query = new URLSearchParams({ path, ...(at === undefined ? {} : { at }) });
    askBytes(`/runs/${id}/file?${query}`, ending.signal)
      .then((bytes) => setContent(textOf(bytes)))
      .catch((error: unknown) => {
        if (ending.signal.aborted) return;
        if (error instanceof Refused && error.status === 404) setContent({ none: "It is not there at this turn." });
        else setContent({ none: error instanceof Error ? error.message : String(error) });
      });
    return () => ending.abort();
  }, [id, path, at, isWanted]);
  return content;
}

function textOf(bytes: Uint8Array): Content {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { none: `It is no text (${bytes.length} bytes).` };
  }
}

const CHARS_SHOWN = 500_000;

function Whole({ path, content }: { path: string; content: Content }) {
  if (!content) return <p role="status">Opening…</p>;
  if ("none" in content) return <p class="quiet">{content.none}</p>;
  const text = content.text.slice(0, CHARS_SHOWN);
  return (
    <>
      <ColouredCode path={path} text={text} />
      {text.length < content.text.length && (
        <p class="quiet">{content.text.length - text.length} characters more are not shown.</p>
      )}
    </>
  );
}

function Diff({ old, now }: { old: Content; now: Content }) {
  if (!now || !old) return <p role="status">Opening…</p>;
  if ("none" in now) return <p class="quiet">{now.none}</p>;
  const parts = diffLines("none" in old ? "" : old.text.slice(0, CHARS_SHOWN), now.text.slice(0, CHARS_SHOWN));
  return (
    <Code>
      {parts.map((part, index) => (
        <DiffPart key={index} {...part} />
      ))}
    </Code>
  );
}

const UNCHANGED_SHOWN = 3;

function DiffPart({ added, removed, value }: { added?: boolean; removed?: boolean; value: string }) {
  const lines = value.replace(/\n$/, "").split("\n");
  if (added) return <ins>{lines.map((line) => `+ ${line}\n`).join("")}</ins>;
  if (removed) return <del>{lines.map((line) => `- ${line}\n`).join("")}</del>;
  const hidden = lines.length - 2 * UNCHANGED_SHOWN;
  const shown =
    hidden > 1 ? [...lines.slice(0, UNCHANGED_SHOWN), `… ${hidden} lines …`, ...lines.slice(-UNCHANGED_SHOWN)] : lines;
  return <span>{shown.map((line) => `  ${line}\n`).join("")}</span>;
}
