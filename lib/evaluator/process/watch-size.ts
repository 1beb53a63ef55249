/** Watches how large a folder becomes while something fills it, and stops that where it is too much. */
import { type FolderSize, folderSize } from "../tree.ts";

interface WatchedFolder {
  folder: string;
  largest: FolderSize;
  signal?: AbortSignal;
}

const GiB = 1024 ** 3;
/** A fast network brings 100 MB in a second. */
const LOOKS_MS = 500;

interface Watch {
  signal: AbortSignal;
  /** What was too much. */
  end(): Promise<string | undefined>;
}

/** Looks the less often the longer looking takes. */
export function watchSize({ folder, largest, signal }: WatchedFolder): Watch {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let found: string | undefined;
  let ended = false;
  const look = async (): Promise<void> => {
    const began = performance.now();
    found ??= excess(await folderSize(folder, largest), largest);
    if (found) stop.abort();
    else if (!ended) timer = setTimeout(() => void look(), LOOKS_MS + 5 * (performance.now() - began));
  };
  timer = setTimeout(() => void look(), LOOKS_MS);
  return {
    signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
    async end(): Promise<string | undefined> {
      ended = true;
      clearTimeout(timer);
      if (!found) await look();
      return found;
    },
  };
}

function excess(size: FolderSize, largest: FolderSize): string | undefined {
  if (size.bytes > largest.bytes) return `too large, with what it needs it is more than ${sizeWords(largest.bytes)}`;
  return size.files > largest.files
    ? `too large, with what it needs it is more than ${largest.files} files`
    : undefined;
}

const sizeWords = (bytes: number): string => (bytes >= GiB ? `${bytes / GiB} GB` : `${Math.ceil(bytes / 1024)} KB`);
