/** The files of a run as its tools see them: secrets are masked when a file is read, and put back when it is written. */
import { decodeText, encodeText } from "../../core/text/file-text.ts";
import { maskSecrets, restoreSecrets } from "../../core/text/secrets.ts";
import type { WorkFiles } from "../../core/turn/workbench.ts";

export const maskedFiles = (work: WorkFiles): WorkFiles => ({
  ...work,
  async read(path) {
    const bytes = await work.read(path);
    return bytes && changedText(bytes, maskSecrets);
  },
  async write(path, content) {
    const before = await work.read(path);
    const original = before && decodeText(before);
    return work.write(path, original ? changedText(content, (text) => restoreSecrets(text, original)) : content);
  },
});

/** The same bytes where nothing changes, or where they are no text. */
function changedText(bytes: Uint8Array, change: (text: string) => string): Uint8Array {
  const text = decodeText(bytes);
  const changed = text && change(text);
  return changed === undefined || changed === text ? bytes : encodeText(changed);
}
