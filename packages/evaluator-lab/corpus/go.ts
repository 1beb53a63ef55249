/** Projects in Go, for computers that have it. */
import { healthy, lines, type Project } from "./project.ts";

const module = lines("module example.com/shop", "", "go 1.21");
const test = (name: string, body: string): string => `func ${name}(t *testing.T) { ${body} }`;
const tests = (...bodies: string[]): string => lines("package shop", "", 'import "testing"', "", ...bodies);
const add = lines("package shop", "", "func Add(a, b int) int { return a + b }");

/** Compiling the standard library is part of the first one. */
const COLD_MS = 150_000;

const projects: Project[] = [
  {
    name: "go: healthy, with tests inside a test",
    kind: "go",
    needs: "go",
    files: {
      "go.mod": module,
      "add.go": add,
      "add_test.go": tests(
        test("TestAdd", 'if Add(1, 2) != 3 { t.Fatal("no") }'),
        test("TestMore", 't.Run("one", func(t *testing.T) {}); t.Run("two", func(t *testing.T) {})'),
      ),
    },
    label: healthy(3),
  },
  {
    name: "go: no tests",
    kind: "go",
    needs: "go",
    files: { "go.mod": module, "main.go": lines("package main", "", "func main() {}") },
    label: { syntax: "passed", tests: "not_found" },
  },
  {
    name: "go: a program without go.mod",
    kind: "go",
    needs: "go",
    files: {
      "main.go": lines("package main", "", 'import "shop/stock"', "", "func main() { stock.Count() }"),
      "stock/stock.go": lines("package stock", "", "func Count() int { return 1 }"),
      "stock/stock_test.go": lines(
        "package stock",
        "",
        'import "testing"',
        "",
        test("TestCount", 'if Count() != 1 { t.Fatal("no") }'),
      ),
    },
    label: healthy(1),
  },
  {
    name: "go: two modules in two folders",
    kind: "go",
    needs: "go",
    files: {
      "one/go.mod": "module one\n",
      "one/a_test.go": tests(test("TestA", "")),
      "two/go.mod": "module two\n",
      "two/in/b_test.go": tests(test("TestB", "t.Fail()")),
    },
    label: { syntax: "passed", tests: "failed", counts: [1, 1, 0, 0] },
  },
  {
    name: "go: failing, skipped, passing",
    kind: "go",
    needs: "go",
    files: {
      "go.mod": module,
      "a_test.go": tests(
        test("TestFails", 't.Run("inside", func(t *testing.T) { t.Errorf("got %d", 1) })'),
        test("TestSkipped", 't.Skip("not today")'),
        test("TestPasses", ""),
      ),
    },
    label: { syntax: "passed", tests: "failed", counts: [1, 1, 0, 1] },
  },
  {
    name: "go: a panic takes the tests after it along",
    kind: "go",
    needs: "go",
    files: {
      "go.mod": module,
      "a_test.go": tests(test("TestPanics", 'panic("no")'), test("TestNeverRuns", "")),
    },
    label: { syntax: "passed", tests: "failed", counts: [0, 0, 1, 0] },
  },
  {
    name: "go: a test leaves the process",
    kind: "go",
    needs: "go",
    files: {
      "go.mod": module,
      "a_test.go": lines(
        "package shop",
        "",
        'import (\n\t"os"\n\t"testing"\n)',
        "",
        test("TestA", ""),
        test("TestLeaves", "os.Exit(0)"),
      ),
    },
    label: { syntax: "passed", tests: "failed", counts: [1, 0, 1, 0] },
  },
  {
    name: "go: tests that are not run",
    kind: "go",
    needs: "go",
    files: {
      "go.mod": module,
      "a_test.go": lines(
        "package shop",
        "",
        'import (\n\t"os"\n\t"testing"\n)',
        "",
        test("TestA", ""),
        "func TestMain(m *testing.M) { os.Exit(0) }",
      ),
    },
    label: { syntax: "passed", tests: "not_found" },
  },
  {
    name: "go: does not parse",
    kind: "go",
    needs: "go",
    files: { "go.mod": module, "a.go": lines("package shop", "", "func a( {", "}") },
    label: { syntax: "failed", tests: "not_found", findings: ["a.go:3 syntax", "a.go:4 syntax"] },
  },
  {
    name: "go: does not compile, in two packages",
    kind: "go",
    needs: "go",
    files: {
      "go.mod": module,
      "a.go": lines("package shop", "", 'func A() int { return "one" }'),
      "in/b.go": lines("package in", "", "func B() { unused := 1 }"),
    },
    label: { syntax: "failed", tests: "not_found", findings: ["a.go:3 compile", "in/b.go:3 compile"] },
  },
  {
    name: "go: a test that does not compile",
    kind: "go",
    needs: "go",
    files: { "go.mod": module, "add.go": add, "add_test.go": tests(test("TestAdd", "Subtract(2, 1)")) },
    label: { syntax: "failed", tests: "failed", findings: ["add_test.go:5 compile"], counts: [0, 0, 1, 0] },
  },
  {
    name: "go: a package that cannot be had",
    kind: "go",
    needs: "go",
    files: {
      "go.mod": `${module}\nrequire example.org/far/away v1.2.3\n`,
      "a.go": lines("package shop", "", 'import "example.org/far/away"', "", "var A = away.A"),
      "a_test.go": tests(test("TestA", "")),
    },
    label: {
      syntax: "not_run: package_missing",
      tests: "not_run: package_missing",
      counts: [0, 0, 1, 0],
      missing: ["example.org/far/away"],
    },
  },
  {
    name: "go: an undeclared package",
    kind: "go",
    needs: "go",
    files: {
      "go.mod": module,
      "a.go": lines("package shop", "", 'import "example.org/far/away"', "", "var A = away.A"),
    },
    label: { syntax: "failed", tests: "not_found", findings: ["a.go:3 import"] },
  },
  {
    name: "go: for a version that is not there",
    kind: "go",
    needs: "go",
    files: { "go.mod": "module shop\n\ngo 1.999\n", "a.go": "package shop\n", "a_test.go": "package shop\n" },
    label: { syntax: "not_run: no_toolchain", tests: "not_run: no_toolchain" },
  },
  {
    name: "go: hangs",
    kind: "go",
    needs: "go",
    timeoutMs: 25_000,
    files: { "go.mod": module, "a_test.go": tests(test("TestA", ""), test("TestHangs", "for {}")) },
    label: { syntax: "passed", tests: "timed_out", counts: [1, 0, 0, 0] },
  },
];

export const goProjects: Project[] = projects.map((project) => ({ timeoutMs: COLD_MS, ...project }));
