/** Gives a package that writes beside its own code a folder of its own, where installed packages can only be read. */
import { join } from "node:path";
import type { TestsResult } from "../../language.ts";
import type { PackageContext } from "./package-tests.ts";

/** True: a failed test run wrote there, and may not fail again. Nothing outside the copy of the tree is changed. */
export async function copyWritten(
  { status, output }: TestsResult,
  { workspace, copy }: Pick<PackageContext, "workspace" | "copy">,
): Promise<boolean> {
  if (status !== "failed" && status !== "crashed") return false;
  let isCopied = false;
  for (const { below, folder } of workspace.environment?.nodeModules ?? [])
    for (const name of writtenIn(output, folder)) {
      const place = join(copy.folder, below, "node_modules", name);
      const { exitCode } = await copy.run({ argv: ["/bin/sh", "-c", COPY, "sh", place, join(folder, name)] });
      isCopied ||= exitCode === 0;
    }
  return isCopied;
}

/** A link is removed, and no folder: what was copied once is not copied again. */
const COPY = 'rm "$1" && cp -R "$2" "$1" && chmod -R u+w "$1"';

function writtenIn(output: string, folder: string): Set<string> {
  const refused = output.split("\n").filter((line) => /\b(?:EROFS|EACCES|EPERM)\b/.test(line));
  return new Set(
    refused.flatMap((line) =>
      line
        .split(`${folder}/`)
        .slice(1)
        .flatMap((rest) => /^((?:@[\w.-]+\/)?[\w-][\w.-]*)\//.exec(rest)?.[1] ?? []),
    ),
  );
}
