/** The rest of the repository uses this package through the entry points that its package.json exports. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { importsOf } from "../../test/house-source.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const HERE = "packages/aws-rehearsal/";

it("is imported by other folders through its exported entry points only", () => {
  const { exports } = JSON.parse(readFileSync(join(root, HERE, "package.json"), "utf8")) as {
    exports: Record<string, string>;
  };
  const entryPoints = Object.values(exports).map((path) => normalize(join(HERE, path)));
  const others = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.mjs"], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((path) => path !== "" && !path.startsWith(HERE));
  const imported = others.flatMap((path) =>
    importsOf(readFileSync(join(root, path), "utf8"))
      .map(({ from }) => normalize(join(dirname(path), from)))
      .filter((target) => target.startsWith(HERE)),
  );
  expect(new Set(imported)).toEqual(new Set(entryPoints));
});
