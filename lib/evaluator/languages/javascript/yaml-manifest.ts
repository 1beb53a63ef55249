/** Reads YAML of a package manager, as its own tools write it. */
import { Composer, Parser } from "yaml";

/** The parser looks through a longer line again and again; no package manager writes one. */
const LINE_CHARS = 10_000;
/** Of the processor, for each of the two halves of the work. The longest lock files that are known take less than one second. */
const MOST_MS = 2_000;
const LINES_BETWEEN = 256;

/** A computer that is busy with other work does not make it more. Node 22 knows that of the whole process only. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1_000;
}

/** Undefined: it is no YAML, none that a package manager writes, or takes too long to read. */
export function readYaml(text: string, now: () => number = processorMs): unknown {
  if (text.split("\n").some(({ length }) => length > LINE_CHARS)) return undefined;
  const latest = now() + MOST_MS;
  let lines = 0;
  const parser = new Parser(() => {
    lines += 1;
    if (lines % LINES_BETWEEN === 0 && now() > latest) throw new RangeError("It takes too long to read.");
  });
  try {
    // No document is printed: its warnings, with lines of the text, would be written to the terminal.
    const composer = new Composer({ uniqueKeys: false, prettyErrors: false });
    const [document, another] = composer.compose(parser.parse(text), false, text.length);
    if (!document || another || document.errors.length > 0) return undefined;
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    return undefined;
  }
}
