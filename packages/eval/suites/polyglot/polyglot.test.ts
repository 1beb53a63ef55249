import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectFile } from "../../../../lib/files/project-files.ts";
import { polyglot } from "./polyglot.ts";

const place = { cache: "", env: {}, say: () => {} };
const cases = await polyglot.load(place);

describe("the exercises of polyglot", () => {
  it("are three for each of six languages, and the first six are of all languages", () => {
    const groups = Map.groupBy(cases, ({ group }) => group?.name);
    expect([...groups.values()].map(({ length }) => length)).toEqual([3, 3, 3, 3, 3, 3]);
    expect(new Set(cases.slice(0, 6).map(({ group }) => group?.name)).size).toBe(6);
  });

  it.each(cases.map((each) => [each.id, each] as const))(
    "%s: a model sees the start, and neither tests nor solution",
    (_, each) => {
      const { paths, needs } = each.spec as { paths: string[]; needs: string[] };
      const { given = {}, oracle, task } = each;
      const seen = [task, ...Object.values(given)].join("\n");
      expect(needs.length).toBeGreaterThan(0);
      expect(Object.keys(given).filter((path) => /test|spec/i.test(path))).toEqual([]);
      for (const path of needs) {
        expect(task).toContain(path);
        expect(paths).toContain(path);
      }
      // A header or a class of an error may be the same.
      const own = needs.filter((path) => given[path] !== oracle[path]);
      expect(own).not.toEqual([]);
      for (const path of own) expect(seen).not.toContain(oracle[path]);
      expect(each.hanging).not.toEqual(oracle);
      for (const forged of each.forgeries) expect(forged).not.toEqual(oracle);
    },
  );

  it("are those of a folder, where one is given: a checkout of a track, or several", async () => {
    const folder = mkdtempSync(join(tmpdir(), "l2mac-tracks-"));
    try {
      await expect(polyglot.load({ ...place, exercises: folder })).rejects.toThrow("There are no exercises in");
      await expect(polyglot.load({ ...place, exercises: join(folder, "none") })).rejects.toThrow(
        "Nothing was computed",
      );
      cpSync(projectFile("packages/eval/data/polyglot/go"), join(folder, "checkout"), { recursive: true });
      const found = await polyglot.load({ ...place, exercises: folder });
      expect(found.map(({ id }) => id)).toEqual(["go/affine-cipher", "go/rail-fence-cipher", "go/two-bucket"]);
      expect(await polyglot.load({ ...place, exercises: join(folder, "checkout") })).toEqual(found);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
