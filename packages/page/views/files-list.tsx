/** The files at the chosen turn as a tree, with the turn that last changed each. */
import { useMemo, useState } from "preact/hooks";
import type { RunSnapshot } from "../../../lib/core/run/history.ts";
import { pluralize } from "../../../lib/core/text/format.ts";
import { reveal } from "../../../lib/core/text/sanitize.ts";
import type { TurnRecord } from "../../../lib/core/turn/turn.ts";
import { foldersOf, type TreeRow, treeRows } from "../file-tree.ts";
import type { Navigate, RunRoute } from "../route.ts";
import { LongList } from "./long-list.tsx";

interface FilesListProps {
  snapshot: RunSnapshot;
  turn: TurnRecord | undefined;
  route: RunRoute;
  navigate: Navigate;
}

/** With more files than this, folders start closed. */
const SHOWN_OPEN = 150;

export function FilesList({ snapshot, turn, route, navigate }: FilesListProps) {
  const [like, setLike] = useState("");
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const files = snapshot.files();
  const rows = useMemo(() => {
    const wanted = files.filter(({ path }) => path.toLowerCase().includes(like.toLowerCase()));
    const chosen = new Set(route.file === undefined ? [] : foldersOf(route.file));
    const isOpenFirst = like !== "" || files.length <= SHOWN_OPEN;
    return treeRows(wanted, (folder) => (isOpenFirst || chosen.has(folder)) !== turned.has(folder));
  }, [files, like, route.file, turned]);
  const changed = new Set(turn?.changes.map(({ path }) => path));
  const { line: _, against: __, ...here } = route;
  const fold = (path: string): void =>
    setTurned((known) =>
      known.has(path) ? new Set([...known].filter((one) => one !== path)) : new Set([...known, path]),
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows are a short way between its buttons, which work without
    <div onKeyDown={(event) => moveByArrows(event, (at) => fold(rows[at]?.path ?? ""))}>
      <label class="search">
        Files ({files.length})
        <input
          type="search"
          value={like}
          onInput={(event) => setLike(event.currentTarget.value)}
          placeholder="part of a path"
        />
      </label>
      {files.length === 0 && <p class="quiet">There are no files yet.</p>}
      <LongList
        label="Tree of files"
        class="file-list"
        count={rows.length}
        height={2}
        row={(index) => (
          <RowView
            row={rows[index]}
            index={index}
            isChanged={changed.has(rows[index]?.path ?? "")}
            isChosen={rows[index]?.path === route.file}
            press={({ path, file }) => (file ? navigate({ ...here, tab: "file", file: path }) : fold(path))}
          />
        )}
      />
    </div>
  );
}

interface RowProps {
  row: TreeRow | undefined;
  index: number;
  isChanged: boolean;
  isChosen: boolean;
  press: (row: TreeRow) => void;
}

function RowView({ row, index, isChanged, isChosen, press }: RowProps) {
  if (!row) return null;
  const { path, name, depth, file, count, isOpen } = row;
  const at = file?.last ? `${file.last.instruction}.${file.last.turn}` : "given";
  const shown = file ? at : String(count);
  const what = !file ? pluralize(count, "file") : file.last ? `last changed in turn ${at}` : "there from the start";
  return (
    <button
      type="button"
      data-row={index}
      {...(file ? { "aria-current": isChosen } : { "aria-expanded": isOpen })}
      onClick={() => press(row)}
      title={reveal(path)}
      style={{ paddingLeft: `${0.4 + depth * 0.8}rem` }}
    >
      <span class="sign" aria-hidden="true">
        {file ? "" : isOpen ? "▾" : "▸"}
      </span>
      <span class="clip start">
        <bdi>
          <span class="heard">{reveal(path.slice(0, path.length - name.length))}</span>
          {reveal(file ? name : `${name}/`)}
        </bdi>
      </span>
      <span class={`quiet number${isChanged ? " changed" : ""}`} title={what}>
        {shown}
      </span>
    </button>
  );
}

/** Up and down between rows; right opens a folder, left closes it. */
function moveByArrows(event: KeyboardEvent & { currentTarget: HTMLElement }, fold: (row: number) => void): void {
  const button = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[data-row]") : null;
  if (!button) return;
  const row = Number(button.dataset.row);
  const to = { ArrowDown: row + 1, ArrowUp: row - 1 }[event.key];
  const isOpen = button.getAttribute("aria-expanded");
  if (to !== undefined) event.currentTarget.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus();
  else if ((event.key === "ArrowRight" && isOpen === "false") || (event.key === "ArrowLeft" && isOpen === "true"))
    fold(row);
  else return;
  event.preventDefault();
}
