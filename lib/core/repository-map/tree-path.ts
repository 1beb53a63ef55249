/** Parts of paths inside a tree; "." is its top folder. Pure. */

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export const folderOf = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".");

export function withoutExtension(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") ? path.slice(0, dot) : path;
}

/** What leads out of the tree ends at its top folder. */
export function joinPath(...parts: string[]): string {
  const names: string[] = [];
  for (const name of parts.flatMap((part) => part.split("/"))) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names.join("/");
}
