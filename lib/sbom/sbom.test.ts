/** The bill of materials: what each kind of manifest declares, with package URLs. */
import { describe, expect, it } from "vitest";
import { billOf } from "./bill.ts";
import { purlOf } from "./declared-package.ts";
import { packagesIn } from "./manifests.ts";

const purls = (files: Record<string, string>): string[] =>
  packagesIn(Object.entries(files).map(([path, text]) => ({ path, text })))
    .packages.map(purlOf)
    .sort();

describe("what a project declares", () => {
  it("is read from package.json, and fixed by the lock file above it", () => {
    const manifest = JSON.stringify({
      dependencies: { express: "^5.0.0", exact: "1.2.3", mine: "file:../mine", renamed: "npm:@scope/real@2.0.0" },
      devDependencies: { vitest: "*" },
    });
    expect(purls({ "app/package.json": manifest })).toEqual([
      "pkg:npm/%40scope/real@2.0.0",
      "pkg:npm/exact@1.2.3",
      "pkg:npm/express",
      "pkg:npm/vitest",
    ]);
    const lock = JSON.stringify({
      packages: {
        "": { name: "root" },
        app: { version: "1.0.0" },
        "node_modules/app": { link: true },
        "node_modules/express": { version: "5.1.0" },
        "node_modules/express/node_modules/@a/b": { version: "0.1.0" },
        "node_modules/vitest": { version: "4.0.0", dev: true },
      },
    });
    expect(purls({ "app/package.json": manifest, "package-lock.json": lock })).toEqual([
      "pkg:npm/%40a/b@0.1.0",
      "pkg:npm/%40scope/real@2.0.0",
      "pkg:npm/exact@1.2.3",
      "pkg:npm/express@5.1.0",
      "pkg:npm/vitest@4.0.0",
    ]);
    expect(purls({ "package-lock.json": JSON.stringify({ dependencies: { a: { version: "1.0.0" } } }) })).toEqual([
      "pkg:npm/a@1.0.0",
    ]);
  });

  it("is read from the manifests of Python, without options, addresses and the project itself", () => {
    const requirements = [
      "# comment",
      "-r other.txt",
      "--index-url https://user:secret@host/simple",
      "Flask_Login==0.6.3 ; python_version > '3.8'",
      "requests[socks]>=2,<3  # why",
      "own @ git+https://user:secret@host/own.git",
      "pinned==1.0 --hash=sha256:00",
    ].join("\n");
    const found = packagesIn([{ path: "requirements-dev.txt", text: requirements }]).packages;
    expect(found.map(purlOf)).toEqual([
      "pkg:pypi/flask-login@0.6.3",
      "pkg:pypi/requests",
      "pkg:pypi/own",
      "pkg:pypi/pinned@1.0",
    ]);
    expect(JSON.stringify(found)).not.toContain("secret");
    const project = `[project]\nname = "x"\ndependencies = ["httpx>=0.27", "rich==13.0.0"]\n[dependency-groups]\ndev = ["pytest"]\n[tool.poetry.dependencies]\npython = "^3.12"\nclick = "8.1.7"\nlocal = { path = "../l" }\n`;
    expect(purls({ "pyproject.toml": project })).toEqual([
      "pkg:pypi/click",
      "pkg:pypi/httpx",
      "pkg:pypi/pytest",
      "pkg:pypi/rich@13.0.0",
    ]);
    const lock = `[[package]]\nname = "httpx"\nversion = "0.27.2"\n[[package]]\nname = "x"\nversion = "0"\nsource = { virtual = "." }\n`;
    expect(purls({ "pyproject.toml": project, "uv.lock": lock })).toContain("pkg:pypi/httpx@0.27.2");
    expect(purls({ "Pipfile.lock": JSON.stringify({ default: { six: { version: "==1.16.0" } } }) })).toEqual([
      "pkg:pypi/six@1.16.0",
    ]);
  });

  it("is read from the manifests of Go, Rust and Maven", () => {
    const mod = `module example.org/m\ngo 1.24\nrequire github.com/Foo/Bar v1.2.3 // indirect\nrequire (\n\tgolang.org/x/text v0.14.0\n)\nreplace a => ../a\n`;
    expect(purls({ "go.mod": mod })).toEqual([
      "pkg:golang/github.com/foo/bar@v1.2.3",
      "pkg:golang/golang.org/x/text@v0.14.0",
    ]);
    const cargo = `[dependencies]\nserde = { version = "1", features = ["derive"] }\nown = { path = "../own" }\nfoo = { package = "bar", version = "=0.3.1" }\n[target.'cfg(unix)'.dependencies]\nlibc = "0.2"\n`;
    expect(purls({ "Cargo.toml": cargo })).toEqual(["pkg:cargo/bar@0.3.1", "pkg:cargo/libc", "pkg:cargo/serde"]);
    const lock = `[[package]]\nname = "serde"\nversion = "1.0.200"\nsource = "registry+x"\nchecksum = "${"a".repeat(64)}"\n[[package]]\nname = "mine"\nversion = "0.1.0"\n`;
    expect(purls({ "Cargo.toml": cargo, "Cargo.lock": lock })).toContain("pkg:cargo/serde@1.0.200");
    expect(purls({ "Cargo.lock": lock })).toEqual(["pkg:cargo/serde@1.0.200"]);
    const pom = `<project><!-- <dependency><groupId>no</groupId><artifactId>no</artifactId></dependency> --><dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.11.0</version><scope>test</scope></dependency><dependency><groupId>a</groupId><artifactId>b</artifactId><version>\${v}</version></dependency></dependencies></project>`;
    expect(purls({ "pom.xml": pom })).toEqual(["pkg:maven/a/b", "pkg:maven/org.junit.jupiter/junit-jupiter@5.11.0"]);
  });

  it("is read from the manifests of PHP and Ruby", () => {
    const composer = JSON.stringify({ require: { php: ">=8", "ext-json": "*", "Monolog/monolog": "^3" } });
    expect(purls({ "composer.json": composer })).toEqual(["pkg:composer/monolog/monolog"]);
    const lock = JSON.stringify({ packages: [{ name: "monolog/monolog", version: "3.5.0" }] });
    expect(purls({ "composer.json": composer, "composer.lock": lock })).toEqual(["pkg:composer/monolog/monolog@3.5.0"]);
    const gems = `GEM\n  remote: https://rubygems.org/\n  specs:\n    rack (3.0.8)\n      other (>= 1)\n\nPLATFORMS\n  ruby\n`;
    expect(purls({ Gemfile: `gem "rack", "~> 3.0"\n`, "Gemfile.lock": gems })).toEqual(["pkg:gem/rack@3.0.8"]);
  });

  it("leaves out what is installed, and says which files cannot be read", () => {
    const text = JSON.stringify({ dependencies: { a: "1.0.0", "../b": "1.0.0", "c d": "1.0.0" } });
    const { packages, unreadable } = packagesIn([
      { path: "node_modules/x/package.json", text },
      { path: "vendor/x/go.mod", text: "require a.b/c v1.0.0" },
      { path: "package.json", text },
      { path: "broken/package.json", text: "{" },
      { path: "Cargo.toml", text: "= =" },
    ]);
    expect(packages.map(purlOf)).toEqual(["pkg:npm/a@1.0.0"]);
    expect(unreadable).toEqual(["broken/package.json", "Cargo.toml"]);
  });
});

describe("a manifest that tries to keep the computer busy", () => {
  it.each(["\u2028", "\u2029", "\r", ""])("is read in no time with %j in its lines", (end) => {
    const round = 300_000;
    const files = [
      { path: "go.mod", text: `require a.b/c v1.0.0 // it\n${"//".repeat(round)}${end}x` },
      { path: "requirements.txt", text: `x==1.0\t--hash=sha256:0\ny==1.0\n${"z --".repeat(round)}${end}x` },
      {
        path: "pyproject.toml",
        text: `[project]\ndependencies = [${JSON.stringify(`z${" --".repeat(round)}${end}x`)}]`,
      },
      { path: "Gemfile", text: `gem "rack"${" ".repeat(round)}${end}x` },
    ];
    const before = process.threadCpuUsage().user;
    const { packages } = packagesIn(files);
    expect(process.threadCpuUsage().user - before).toBeLessThan(2_000_000);
    expect(packages.map(purlOf)).toEqual(
      expect.arrayContaining(["pkg:golang/a.b/c@v1.0.0", "pkg:pypi/x@1.0", "pkg:pypi/y@1.0"]),
    );
  });
});

describe("the bill of materials", () => {
  it("names each package once, with where it is declared and what it is for", () => {
    const { packages, unreadable } = packagesIn([
      { path: "a/package.json", text: JSON.stringify({ dependencies: { x: "^1" } }) },
      { path: "b/package.json", text: JSON.stringify({ devDependencies: { x: "^2", "@s/y": "1.0.0" } }) },
    ]);
    const bill = billOf({ name: "made", zip: "ab".repeat(32), version: "1.0.0", packages, unreadable });
    expect(bill.components).toMatchObject([
      { group: "@s", name: "y", version: "1.0.0", scope: "excluded", purl: "pkg:npm/%40s/y@1.0.0" },
      { name: "x", scope: "required", purl: "pkg:npm/x" },
    ]);
    expect(bill.components[1]?.properties).toEqual([
      { name: "l2mac:declaredIn", value: "a/package.json" },
      { name: "l2mac:declaredIn", value: "b/package.json" },
      { name: "l2mac:range", value: "^1" },
      { name: "l2mac:range", value: "^2" },
    ]);
  });
});
