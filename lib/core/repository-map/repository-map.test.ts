import { describe, expect, it } from "vitest";
import { encodeText } from "../text/file-text.ts";
import { repositoryMap } from "./repository-map.ts";

function mapOf(files: Record<string, string>, tokens = 6_000): string {
  const contents = new Map(Object.entries(files).map(([path, text]) => [path, encodeText(text)]));
  return repositoryMap({ paths: Object.keys(files), contents, tokens });
}

describe("the map of a repository", () => {
  it("names the folders with their files, the exports of the most imported files, and the files to begin with", () => {
    const map = mapOf({
      "src/store/memory.ts": 'import { Item } from "../item.js";\nexport const memory = 1;\n',
      "src/main.ts": 'import { memory } from "./store/memory.ts";\nimport { Item } from "./item";\n',
      "src/item.ts": "export interface Item {}\nexport const none = 0;\n",
      "README.md": "# It\n",
      "docs/guide.md": "…",
    });
    expect(map).toBe(
      [
        "5 files. Folders, with the number of files directly in each:",
        "docs/ 1",
        "src/ 2",
        " store/ 1",
        "",
        "Source files and what they export, most imported first:",
        "src/item.ts (imported by 2): Item, none",
        "src/store/memory.ts (imported by 1): memory",
        "",
        "Files:",
        "README.md",
        "src/: main.ts, item.ts",
        "src/store/: memory.ts",
        "docs/: guide.md",
      ].join("\n"),
    );
  });

  it("follows imports of Python, Go, Rust and Java to their files", () => {
    const python = mapOf({
      "app/models.py": "class User: ...\n",
      "app/views.py": "from .models import User\n",
      "tests/test_it.py": "from app.models import User\n",
    });
    expect(python).toContain("app/models.py (imported by 2): User");
    const go = mapOf({
      "go.mod": "module example.org/app\n",
      "store/store.go": "package store\nfunc Open() {}\n",
      "main.go": 'import "example.org/app/store"\n',
    });
    expect(go).toContain("store/store.go (imported by 1): Open");
    const rust = mapOf({
      "src/main.rs": "mod store;\nuse crate::store::Store;\n",
      "src/store.rs": "pub struct Store;\n",
    });
    expect(rust).toContain("src/store.rs (imported by 1): Store");
    const java = mapOf({
      "src/org/example/Store.java": "public class Store {}\n",
      "src/org/example/Main.java": "import org.example.Store;\npublic class Main {}\n",
    });
    expect(java).toContain("src/org/example/Store.java (imported by 1): Store");
  });

  it("folds the deepest folders with the fewest files until the rest fits, and says how many are not named", () => {
    const files = Object.fromEntries(
      Array.from({ length: 900 }, (_, n) => [`area-${n % 9}/part-${n % 90}/deep-${n}/file.txt`, ""]),
    );
    const map = mapOf(files, 1_000);
    expect(map.length).toBeLessThan(3_300);
    for (let area = 0; area < 9; area += 1) expect(map).toContain(`area-${area}/ `);
    expect(map).toMatch(/part-\d+\/ 10 in 11 folders/);
    expect(map).toMatch(/\(\d+ folders are not named; list_files shows all\.\)/);
    expect(map).toMatch(/and \d+ more; list_files shows all\.$/);
  });

  it("stays within its room where thousands of files export hundreds of names", () => {
    const names = Array.from({ length: 300 }, (_, n) => `export const aNameOfSomeLength${n} = ${n};`).join("\n");
    const files = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`src/file-${n}.ts`, names]));
    expect(mapOf(files, 2_000).length).toBeLessThan(2 * 2_000 * 3);
  });

  it("is empty where nothing is there", () => {
    expect(mapOf({})).toBe("");
  });
});
