/** The sandbox of this computer: the programs that checks run, and the seal around them. */
import { realpathSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { findSeal, type Seal, unsealed } from "./seal.ts";
import { isSystem } from "./seal-view.ts";
import { type FoundToolchain, findToolchain, type Surroundings } from "./toolchain.ts";

export interface SandboxParts extends Surroundings {
  /** A folder of ours that exists. */
  folder: string;
  uid: number;
  /** More that checks must be able to read, such as the scripts of the evaluator. */
  readable?: string[];
  /** Generated code may see and do what the user can, though it could be sealed off. */
  unsealed?: boolean;
}

export interface Sandbox {
  seal: Seal;
  toolchain: FoundToolchain;
}

export function openSandbox(parts: SandboxParts): Sandbox {
  const toolchain = findToolchain(parts);
  if (parts.unsealed) return { toolchain, seal: unsealed("it was turned off") };
  const seal = findSeal({
    folder: realpathSync(parts.folder),
    path: toolchain.path.split(delimiter),
    node: toolchain.node,
    readable: [...toolchain.readable, ...(parts.readable ?? [])],
    uid: parts.uid,
  });
  return { seal, toolchain: seal.describe().sealed ? { ...toolchain, path: visiblePath(toolchain) } : toolchain };
}

/** Folders that a sealed command cannot see hold no programs for it. */
function visiblePath({ path, node, readable }: FoundToolchain): string {
  const isSeen = (folder: string): boolean =>
    folder === dirname(node) ||
    isSystem(folder) ||
    readable.some((part) => folder === part || folder.startsWith(`${part}/`));
  return path.split(delimiter).filter(isSeen).join(delimiter);
}
