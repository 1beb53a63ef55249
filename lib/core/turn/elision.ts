/** The mark that stands in a conversation where old contents were dropped, and how to know it again. Pure. */

export const elided = (bytes: number): string => `[… ${bytes} bytes were written here; read_files shows them]`;

/** A model that copies the mark back would overwrite its file with it. */
export const looksElided = (text: string): boolean =>
  /^\[(?:…|\.\.\.) \d+ bytes were written here; read_files shows them\]$/.test(text.trim());
