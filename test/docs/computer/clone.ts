/** A clone of this project, with what is not committed yet, and with its packages: those that are installed here. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { listFiles, projectRoot } from "../../house-rules.ts";

export function makeClone(folder: string): void {
  const files = listFiles().filter((path) => !path.startsWith("docs/pictures/") && existsSync(join(projectRoot, path)));
  for (const path of files) cpSync(join(projectRoot, path), join(folder, path));
  installPackages(folder);
  for (const args of [
    ["init", "-q"],
    ["add", "."],
    [...AUTHOR, "commit", "-qm", "Clone"],
  ])
    execFileSync("git", args, { cwd: folder, stdio: "ignore" });
}

const AUTHOR = ["-c", "user.name=Reader", "-c", "user.email=reader@example.org"];

/** One link for each package; a folder of its own, because commands of packages are looked for beside it. */
function installPackages(folder: string): void {
  const [from, to] = [join(projectRoot, "node_modules"), join(folder, "node_modules")];
  mkdirSync(to);
  for (const name of readdirSync(from)) if (!name.startsWith(".cache")) symlinkSync(join(from, name), join(to, name));
}
