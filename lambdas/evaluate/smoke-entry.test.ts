import { describe, expect, it } from "vitest";
import { entryOf } from "./smoke-entry.ts";

const entry = (files: Record<string, string>): string | undefined =>
  entryOf({ files: Object.keys(files), read: (path) => files[path] })?.argv.join(" ");

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
    const shown = (line: string) =>
      entryOf({ files: ["a.py", "README.md"], read: (path) => (path === "README.md" ? `# A\n\n    ${line}\n` : "") });
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
});
