/** A path of the tree as an argument of a program, which could take it for an option or for a pattern. Pure. */

export const asArgument = (path: string): string => (/^[-!]/.test(path) ? `./${path}` : path);

/** For Node's test runner, which takes every path for a pattern. */
export const asPattern = (path: string): string => asArgument(path.replace(/[*?[(]/g, "[$&]").replace(/[\\{}]/g, "?"));
