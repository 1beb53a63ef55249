/** Shows what cdk says in one line where that can be, or in few; its errors are kept for the end. */

import { sanitizeLine } from "../../core/text/sanitize.ts";
import { readCdkLine } from "../../deployment/cdk-lines.ts";
import { fitted } from "../display/columns.ts";
import type { Shell } from "../display/shell.ts";

export interface CdkProgress {
  line(text: string): void;
  /** Before anything else is said. */
  over(): void;
}

/** Where nothing can be written over, every tenth is enough. */
const EVERY = 10;
const COLUMNS = 100;

export function createCdkProgress({ progress, say }: Pick<Shell, "progress" | "say">): CdkProgress {
  let shown = "";
  const rewrite = (text: string): void => {
    const line = fitted(sanitizeLine(text), (progress.columns || COLUMNS) - 1);
    progress.write(`\r${line}\u001b[K`);
    shown = line;
  };
  const over = (): void => {
    if (shown) progress.write("\n");
    shown = "";
  };
  let last = "";
  let told = -1;
  return {
    over,
    line(text) {
      const read = readCdkLine(text);
      if (read.kind === "failed") {
        over();
        say(sanitizeLine(read.text));
      } else if (read.kind === "phase" && read.text !== last) {
        over();
        last = read.text;
        say(`  ${read.text}`);
      } else if (read.kind === "progress") {
        const { done, of } = read;
        const line = `  ${done}${of ? ` of ${of}` : ""} · ${read.status.toLowerCase()} · ${read.type} ${read.name}`;
        if (progress.isTTY) rewrite(line);
        else if (done % EVERY === 0 && done !== told) say(sanitizeLine(line));
        told = done;
      }
    },
  };
}
