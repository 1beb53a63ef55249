/** Which of a run's files are read first. Pure. */

/** Of the top folder; Markdown before plain text. */
export function readmeIn(paths: string[]): string | undefined {
  const found = paths.filter((path) => /^readme(\.(md|markdown|txt|rst))?$/i.test(path));
  return found.find((path) => /\.(md|markdown)$/i.test(path)) ?? found[0];
}

export const isMarkdown = (path: string): boolean => /\.(md|markdown)$/i.test(path);
