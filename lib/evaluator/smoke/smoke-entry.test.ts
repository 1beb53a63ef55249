import { describe, expect, it } from "vitest";
import { type Entry, entriesOf } from "./smoke-entry.ts";

const entries = (files: Record<string, string>): Entry[] =>
  entriesOf({ files: Object.keys(files), read: (path) => files[path] });

const entry = (files: Record<string, string>): string | undefined => entries(files)[0]?.argv.join(" ");

const readme = (...lines: string[]): string => ["# It", "", "```sh", ...lines, "```", ""].join("\n");

describe("how a delivered project is started", () => {
  it.each([
    ["$ python3 tool.py input.txt", "python tool.py"],
    ["python -m pkg.cli --verbose", "python -m pkg.cli"],
    ["node bin/it.js list", "node bin/it.js"],
    ["./tool.py <file>", "./tool.py"],
    ["npm start", "node bin/it.js"],
  ])("is what its README shows: %s", (line, expected) => {
    const files = { "tool.py": "", "pkg/cli.py": "", "bin/it.js": "" };
    const manifest = JSON.stringify({ scripts: { start: "node bin/it.js" } });
    expect(entry({ ...files, "package.json": manifest, "README.md": readme("pip install -r x.txt", line) })).toBe(
      expected,
    );
  });

  it("is shown with its arguments, unless somebody would have to fill them in", () => {
    const shown = (line: string) => entries({ "a.py": "", "README.md": `# A\n\n    ${line}\n` })[0];
    expect(shown("$ python3 a.py add 3 --fast")).toEqual({
      argv: ["python", "a.py"],
      shown: ["python3", "a.py", "add", "3", "--fast"],
    });
    expect(shown("python a.py <file>")).toEqual({ argv: ["python", "a.py"] });
    expect(shown("python a.py | less")).toEqual({ argv: ["python", "a.py"] });
  });

  it.each(["python -m pytest", "python missing.py", "curl x | python main.py", "npm install", "cat main.py"])(
    "is nothing that installs, tests, or is not there: %s",
    (line) => {
      expect(entry({ "a.py": "", "README.md": readme(line) })).toBeUndefined();
    },
  );

  it("is what the manifest names", () => {
    expect(entry({ "package.json": '{"bin": {"a": "./cli.js"}}', "cli.js": "" })).toBe("node cli.js");
    expect(entry({ "package.json": '{"scripts": {"start": "next start"}}' })).toBe("npm start");
    expect(entry({ "pyproject.toml": '[project.scripts]\na = "pkg.cli:main"\n', "pkg/cli.py": "" })).toBe(
      "python -c import sys; from pkg.cli import main; sys.exit(main())",
    );
  });

  it("is what its files are called", () => {
    expect(entry({ "src/tool/__main__.py": "" })).toBe("python -m tool");
    expect(entry({ "main.py": "", "app.py": "" })).toBe("python main.py");
    expect(entry({ "src/index.ts": "" })).toBe("node src/index.ts");
    expect(entry({ "main.go": "package main\n" })).toBe("go run .");
  });

  it("is unknown of a library, and of manifests that cannot be read", () => {
    expect(entry({ "lib.py": "", "package.json": "{", "pyproject.toml": "= 1" })).toBeUndefined();
    expect(entry({ "package.json": '{"bin": 3, "scripts": []}' })).toBeUndefined();
    expect(entry({ "package.json": '{"bin": "../../escape.js"}' })).toBeUndefined();
  });

  it("is each command of the README in turn, three at most", () => {
    const files = { "scripts/seed.py": "", "main.py": "", "b.py": "", "c.py": "" };
    const lines = ["python scripts/seed.py", "python main.py", "python main.py", "python b.py", "python c.py"];
    const found = entries({ ...files, "README.md": readme(...lines) });
    expect(found.map(({ argv }) => argv[1])).toEqual(["scripts/seed.py", "main.py", "b.py"]);
  });

  it("is started in the folder that the README goes to, within the same block", () => {
    const files = { "app/app.py": "", "main.py": "" };
    expect(entries({ ...files, "README.md": readme("git clone x", "cd it", "cd app", "python app.py") })).toEqual([
      { argv: ["python", "app.py"], shown: ["python", "app.py"], below: "app" },
    ]);
    expect(entries({ ...files, "README.md": readme("cd app && python app.py") })[0]?.below).toBe("app");
    const apart = `${readme("cd app")}\nThen:\n\n${readme("python main.py")}`;
    expect(entries({ ...files, "README.md": apart })).toEqual([
      { argv: ["python", "main.py"], shown: ["python", "main.py"] },
    ]);
    expect(entries({ ...files, "README.md": readme("cd ../..", "python app.py") })[0]?.below).toBeUndefined();
  });

  it("is no script that a page loads", () => {
    const page = '<script src="./app.js?v=1"></script><script type="module" src="/src/main.ts"></script>';
    expect(entry({ "index.html": page, "app.js": "", "src/main.ts": "" })).toBeUndefined();
    expect(entry({ "public/index.html": "<script defer src=app.js></script>", "app.js": "" })).toBe("node app.js");
  });

  it("is built first where it is not in the tree", () => {
    const manifest = (more: object) => ({ "package.json": JSON.stringify(more), "src/index.ts": "" });
    const scripts = { build: "tsc", start: "node dist/index.js" };
    const built = { argv: ["node", "dist/index.js"], build: true };
    expect(entries(manifest({ scripts }))).toEqual([built]);
    expect(entries(manifest({ bin: "./dist/index.js", scripts: { build: "tsc" } }))).toEqual([built]);
    const commands = readme("npm install", "npm run build", "npm start");
    expect(entries({ ...manifest({ scripts }), "README.md": commands })).toMatchObject([built]);
    expect(entries({ ...manifest({ scripts }), "dist/index.js": "" })).toEqual([{ argv: ["node", "dist/index.js"] }]);
    expect(entries(manifest({ scripts: { build: "next build", start: "next start" } }))).toEqual([
      { argv: ["npm", "start"], build: true },
    ]);
  });

  it("may be a module of its folder, if the project does not say how", () => {
    expect(entries({ "src/main.py": "" })).toEqual([
      { argv: ["python", "src/main.py"], orElse: ["python", "-m", "src.main"] },
    ]);
  });
});
