/** Which packages of Rust a tree has, and where cargo is to be called. Pure. */
import type { Tree } from "../../tree.ts";

/** The folders with a Cargo.toml, the outer ones first. What a build or a vendor left is none of the project's. */
export const cargoFolders = ({ files }: Tree): string[] =>
  files
    .filter((path) => /(?:^|\/)Cargo\.toml$/.test(path) && !/(?:^|\/)(?:target|vendor|[._][^/]*)\//.test(path))
    .map((path) => (path === "Cargo.toml" ? "" : path.slice(0, -"/Cargo.toml".length)))
    .toSorted((one, other) => one.length - other.length);

/** Those that lie in no other one: what lies deeper belongs to a workspace, or is put aside. */
export const rootsOf = (folders: string[]): string[] =>
  folders.filter(
    (folder) => !folders.some((other) => other !== folder && (other === "" || folder.startsWith(`${other}/`))),
  );
