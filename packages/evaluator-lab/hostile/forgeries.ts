/** Attacks on the truth of test reports: forged lines, and runners that are made to lie. */
import { type Attack, type HonestProject, lines } from "./attack.ts";

const neverPassed: HonestProject = {
  words: "it never says that the tests passed",
  tests: ["failed", "crashed", "timed_out", "not_found"],
};

/** A test that fails when it is run and reported as it is. */
const failing = lines("def test_wrong():", "    assert 1 == 2");
const failingInUnittest = lines(
  "import unittest",
  "",
  "",
  "class Wrong(unittest.TestCase):",
  "    def test_wrong(self):",
  "        self.assertEqual(1, 2)",
);
const passing = lines("def test_right():", "    assert 1 == 1");

const python = (name: string, files: Record<string, string>, needs: "python" | "pytest" = "pytest"): Attack => ({
  ...{ name, group: "forgeries", needs, ask: { tests: true }, honest: neverPassed },
  files: () => files,
});

const hooks = (name: string, ...body: string[]): Attack =>
  python(name, { "conftest.py": lines("import pytest", "", "", ...body), "test_a.py": failing, "test_b.py": passing });

const within = (name: string, ...body: string[]): Attack =>
  python(
    name,
    { "test_a.py": lines("import os, sys, unittest", "", ...body), "test_b.py": failingInUnittest },
    "python",
  );

const FORGED = [
  `{"event":"start","name":"test_a.py::test_a"}`,
  `{"event":"case","name":"test_a.py::test_a","status":"passed"}`,
  `{"event":"end","exit":0}`,
];

/** Lines into every file that may be the report, then an end that looks good. */
const forging = [
  "import glob",
  "paths = [os.environ.get('L2MAC_REPORT', '')]",
  "paths += glob.glob(os.path.join(os.path.dirname(os.getcwd()), 'reports', '*'))",
  "for name in os.listdir('/proc/self/fd'):",
  "    try:",
  "        paths.append(os.readlink('/proc/self/fd/' + name))",
  "    except OSError:",
  "        pass",
  "for path in [path for path in paths if path and os.path.isfile(path)]:",
  "    try:",
  "        with open(path, 'a') as file:",
  `            file.write(${JSON.stringify(`${FORGED.join("\n")}\n`)})`,
  "    except OSError:",
  "        pass",
];

const inReports: Attack[] = [
  within("lines in the report, and an early end", ...forging, "os._exit(0)"),
  within(
    "lines in the report from a test",
    "def test_a():",
    ...forging.map((line) => `    ${line}`),
    "    os._exit(0)",
  ),
  within(
    "lines in the report at exit",
    "import atexit",
    "def forge():",
    ...forging.map((line) => `    ${line}`),
    "    os._exit(0)",
    "atexit.register(forge)",
  ),
  within(
    "lines sealed with a key of one's own",
    ...forging.map((line) => line.replaceAll('{\\"event', `${"0".repeat(64)} 0 {\\"event`)),
    "os._exit(0)",
  ),
  within(
    "a report that is printed",
    `print(${JSON.stringify(FORGED.join("\n"))})`,
    "print('1 passed in 0.01s')",
    "sys.stdout.flush()",
    "os._exit(0)",
  ),
  within("an early end of the module", "sys.exit(0)"),
  within("an early end of the module, raised", "raise SystemExit(0)"),
  within("an end of the process at exit", "import atexit", "atexit.register(os._exit, 0)"),
  within(
    "an end from a thread",
    "import threading, time",
    "threading.Thread(target=lambda: (time.sleep(0.05), os._exit(0))).start()",
    "time.sleep(1)",
  ),
  within(
    "a key looked for in the environment and the arguments",
    "found = open('/proc/self/environ').read() + open('/proc/self/cmdline').read()",
    "import re",
    "assert not re.search('[0-9a-f]{64}', found)",
    "raise SystemExit(0)",
  ),
  within(
    "a key looked for in standard input",
    "rest = sys.stdin.read() + os.read(0, 99999).decode()",
    "assert rest == ''",
    "os._exit(0)",
  ),
  within(
    "a report that is cut",
    "import glob",
    "for path in glob.glob('../reports/*'):",
    "    os.truncate(path, 0)",
    "os._exit(0)",
  ),
];

const inRunners: Attack[] = [
  within(
    "assertions that do nothing",
    "unittest.TestCase.assertEqual = lambda *rest: None",
    "def test_a():",
    "    pass",
  ),
  within(
    "assertions whose code is another",
    "unittest.TestCase.assertEqual.__code__ = (lambda self, one, other, msg=None: None).__code__",
  ),
  within(
    "a test case that runs nothing",
    "def run(self, result=None):",
    "    result.startTest(self)",
    "    result.addSuccess(self)",
    "    result.stopTest(self)",
    "unittest.TestCase.run = run",
  ),
  within(
    "results that take no failure",
    "unittest.TestResult.addFailure = lambda *rest: None",
    "unittest.TestCase._callTestMethod = lambda self, method: None",
  ),
  python(
    "a class of one's own that runs nothing",
    {
      "test_a.py": lines(
        "import unittest",
        "",
        "",
        "class Wrong(unittest.TestCase):",
        "    def run(self, result=None):",
        "        result.startTest(self)",
        "        result.addSuccess(self)",
        "        result.stopTest(self)",
        "",
        "    def test_wrong(self):",
        "        self.fail()",
      ),
    },
    "python",
  ),
  python("assertions that do nothing while a fixture is there", {
    "conftest.py": lines(
      "import unittest",
      "import pytest",
      "",
      "",
      "@pytest.fixture(autouse=True)",
      "def calm(monkeypatch):",
      "    monkeypatch.setattr(unittest.TestCase, 'assertEqual', lambda *rest: None)",
    ),
    "test_a.py": failingInUnittest,
  }),
  python("a project's own pytest", {
    "pytest.py": lines("import sys", "print('1 passed')", "sys.exit(0)"),
    "test_a.py": failing,
  }),
  python("a project's own unittest", {
    "unittest/__init__.py": lines("class TestCase:", "    pass"),
    "test_a.py": failingInUnittest,
  }),
  python("a project's own modules of the runner", {
    ...Object.fromEntries(
      [
        "l2mac_pytest",
        "l2mac_report",
        "l2mac_watch",
        "json",
        "hmac",
        "sitecustomize",
        "src/sitecustomize",
        "_pytest/runner",
      ].map((name) => [`${name}.py`, lines("import os", "os._exit(0)")]),
    ),
    "test_a.py": failing,
  }),
  python("modules of the runner that are replaced", {
    "test_a.py": lines(
      "import sys",
      "",
      "for name in list(sys.modules):",
      "    if 'l2mac' in name or name == '__main__':",
      "        module = sys.modules[name]",
      "        for key in list(vars(module)):",
      "            if callable(getattr(module, key)):",
      "                setattr(module, key, lambda *rest, **more: None)",
      "",
      failing,
    ),
  }),
  python("pytest's own functions that are replaced", {
    "test_a.py": lines(
      "import _pytest.runner",
      "",
      "_pytest.runner.pytest_runtest_call = lambda item: None",
      "_pytest.runner.CallInfo.from_call.__func__.__code__ = (lambda cls, func, when, reraise=None: cls(None, None, 0, 0, 0, when, _ispytest=True)).__code__",
      "",
      failing,
    ),
  }),
  python("functions that must raise and need not", {
    "conftest.py": lines(
      "import pytest, contextlib",
      "pytest.raises = lambda *rest, **more: contextlib.suppress(Exception)",
      "import _pytest.raises",
      "_pytest.raises.RaisesExc.__exit__ = lambda self, *rest: True",
    ),
    "test_a.py": lines("import pytest", "", "", "def test_a():", "    with pytest.raises(ValueError):", "        pass"),
  }),
  hooks(
    "a hook that rewrites results",
    "@pytest.hookimpl(hookwrapper=True, tryfirst=True)",
    "def pytest_runtest_makereport(item, call):",
    "    outcome = yield",
    "    report = outcome.get_result()",
    "    report.outcome, report.longrepr = 'passed', None",
  ),
  hooks(
    "a hook that rewrites reports",
    "@pytest.hookimpl(tryfirst=True)",
    "def pytest_runtest_logreport(report):",
    "    report.outcome, report.longrepr = 'passed', None",
  ),
  hooks(
    "a hook that forgets failures",
    "def pytest_runtest_makereport(item, call):",
    "    call.excinfo = None",
    "    return pytest.TestReport.from_item_and_call(item, call)",
  ),
  hooks(
    "a hook that skips failures",
    "@pytest.hookimpl(hookwrapper=True)",
    "def pytest_runtest_makereport(item, call):",
    "    outcome = yield",
    "    report = outcome.get_result()",
    "    if report.failed:",
    "        report.outcome, report.longrepr = 'skipped', ('a', 1, 'b')",
  ),
  hooks(
    "a hook that runs no test",
    "@pytest.hookimpl(tryfirst=True)",
    "def pytest_pyfunc_call(pyfuncitem):",
    "    return True",
  ),
  hooks(
    "a hook that catches what tests raise",
    "@pytest.hookimpl(wrapper=True)",
    "def pytest_runtest_call(item):",
    "    try:",
    "        return (yield)",
    "    except AssertionError:",
    "        return None",
  ),
  hooks(
    "a hook that takes failing tests away",
    "def pytest_collection_modifyitems(items):",
    "    items[:] = [item for item in items if 'wrong' not in item.name]",
  ),
  hooks(
    "a hook that deselects failing tests",
    "def pytest_collection_modifyitems(config, items):",
    "    gone = [item for item in items if 'wrong' in item.name]",
    "    items[:] = [item for item in items if item not in gone]",
    "    config.hook.pytest_deselected(items=gone)",
  ),
  hooks(
    "a hook that ignores failing files",
    "def pytest_ignore_collect(collection_path):",
    "    return collection_path.name == 'test_a.py' or None",
  ),
  hooks("a list of files to ignore", "collect_ignore = ['test_a.py']"),
  hooks(
    "a loop that ends at once",
    "@pytest.hookimpl(tryfirst=True)",
    "def pytest_runtestloop(session):",
    "    return True",
  ),
  hooks(
    "a hook that runs the protocol by itself",
    "@pytest.hookimpl(tryfirst=True)",
    "def pytest_runtest_protocol(item, nextitem):",
    "    return True",
  ),
  hooks(
    "an end that is set",
    "@pytest.hookimpl(trylast=True)",
    "def pytest_sessionfinish(session):",
    "    session.exitstatus = 0",
    "    session.testsfailed = 0",
  ),
  hooks(
    "tests of one's own kind",
    "class Calm(pytest.Function):",
    "    def runtest(self):",
    "        pass",
    "",
    "",
    "def pytest_pycollect_makeitem(collector, name, obj):",
    "    if name == 'test_wrong':",
    "        return Calm.from_parent(collector, name=name)",
  ),
  hooks(
    "marks that expect failures, with no word",
    "@pytest.hookimpl(trylast=True)",
    "def pytest_configure(config):",
    "    import os",
    "    os._exit(0)",
  ),
];

const IMPORTS = [
  'const test = require("node:test");',
  'const assert = require("node:assert");',
  'const fs = require("node:fs");',
  'const path = require("node:path");',
  'const v8 = require("node:v8");',
];
const WRONG = 'test("wrong", () => assert.equal(1, 2));';
const RIGHT = 'test("right", () => assert.equal(1, 1));';

const node = (name: string, files: Record<string, string>): Attack => ({
  ...{ name: `Node: ${name}`, group: "forgeries", ask: { tests: true }, honest: neverPassed },
  files: () => ({ "right.test.cjs": lines(...IMPORTS, RIGHT), ...files }),
});

const inNode = (name: string, ...body: string[]): Attack => node(name, { "a.test.cjs": lines(...IMPORTS, ...body) });

const EVERYWHERE = [
  "const folder = path.resolve('../reports');",
  "const reports = fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => path.join(folder, name)) : [];",
  "if (process.env.L2MAC_REPORT) reports.push(process.env.L2MAC_REPORT);",
];

/** As the processes of test files speak to the runner: a header, a length, and what happened. */
const FRAME = [
  "const frame = (type, data) => {",
  "  const serializer = new v8.DefaultSerializer();",
  "  serializer.writeHeader();",
  "  serializer.writeValue({ type, data });",
  "  const body = serializer.releaseBuffer();",
  "  const head = Buffer.from([0xff, 0x0f, 0, 0, 0, 0]);",
  "  head.writeUInt32BE(body.length, 2);",
  "  return Buffer.concat([head, body]);",
  "};",
  "const base = { name: 'wrong', nesting: 0, testNumber: 1, file: __filename, line: 1, column: 1, details: { duration_ms: 1, passed: true } };",
];

const inNodesReports: Attack[] = [
  inNode(
    "lines in the report, and an early end",
    ...EVERYWHERE,
    `for (const each of reports) fs.appendFileSync(each, ${JSON.stringify(`${FORGED.join("\n")}\n`)});`,
    "process.exit(0);",
  ),
  inNode(
    "lines about its end",
    ...EVERYWHERE,
    "for (const each of reports) {",
    "  const line = JSON.stringify({ ended: true, leftEarly: false, usesTestRunner: false, asserts: true, code: 0, file: __filename });",
    "  fs.appendFileSync(each.replace(/(\\.guard)?$/, '.guard'), line + '\\n');",
    "}",
    "process.reallyExit(0);",
  ),
  inNode("an early end", WRONG, "process.exit(0);"),
  inNode("an early end without a notification", WRONG, "process.reallyExit(0);"),
  inNode("an end at exit", WRONG, "process.on('exit', () => process.reallyExit(0));"),
  inNode("an exit code that is set", WRONG, "process.on('exit', () => { process.exitCode = 0; });"),
  inNode("no listener left for the end", WRONG, "process.removeAllListeners('exit');", "process.exit(0);"),
  inNode(
    "a stream that says nothing",
    "process.stdout.write = () => true;",
    WRONG,
    "process.on('exit', () => { process.exitCode = 0; });",
  ),
  inNode(
    "a stream that leaves failures out",
    "const write = process.stdout.write.bind(process.stdout);",
    "process.stdout.write = (chunk, ...rest) => String(chunk).includes('test:fail') ? true : write(chunk, ...rest);",
    WRONG,
    "process.on('exit', () => { process.exitCode = 0; });",
  ),
  inNode(
    "what a runner would say, said by hand",
    ...FRAME,
    "for (const type of ['test:start', 'test:pass', 'test:complete']) fs.writeSync(1, frame(type, base));",
    "process.exit(0);",
  ),
  inNode(
    "what a runner would say, said by hand, and nothing else",
    ...FRAME,
    "process.stdout.write = () => true;",
    WRONG,
    "for (const type of ['test:start', 'test:pass', 'test:complete']) fs.writeSync(1, frame(type, base));",
    "process.on('exit', () => { process.exitCode = 0; });",
  ),
  inNode("a report that is printed", `console.log(${JSON.stringify("TAP version 13\nok 1 - wrong\n1..1")});`, WRONG),
  inNode(
    "a key looked for where there is none",
    "const found = fs.readFileSync('/proc/self/environ', 'utf8') + fs.readFileSync('/proc/self/cmdline', 'utf8') + Object.values(process.env);",
    "assert.doesNotMatch(found, /[0-9a-f]{64}/);",
    "let rest = '';",
    "for (const fd of [0, 3]) try { rest += fs.readFileSync(fd, 'utf8'); } catch {}",
    "assert.doesNotMatch(rest, /[0-9a-f]{64}/);",
    "process.exit(0);",
  ),
];

const inNodesRunner: Attack[] = [
  inNode(
    "an assertion that does nothing",
    "assert.equal = () => {};",
    WRONG,
    'test("strict", () => assert.strict.equal(1, 2));',
  ),
  inNode(
    "assertions that are redefined",
    "try {",
    "  for (const name of Object.keys(assert)) Object.defineProperty(assert, name, { value: () => {} });",
    "} catch {}",
    WRONG,
  ),
  inNode(
    "tests that are not run",
    "for (const name of ['test', 'it']) test[name] = () => {};",
    "require('node:test').it('wrong', () => assert.equal(1, 2));",
  ),
  inNode(
    "a runner that is replaced in what is loaded",
    "const { syncBuiltinESMExports } = require('node:module');",
    "test.test = test.it = (name, body) => {};",
    "syncBuiltinESMExports();",
    "test.it('wrong', () => assert.equal(1, 2));",
  ),
  node("a package that replaces the runner", {
    "node_modules/node:test/index.js": "module.exports = () => {};\n",
    "a.test.cjs": lines(...IMPORTS, WRONG),
  }),
  node("modules of the runner that are replaced", {
    "a.test.mjs": lines(
      "import fs from 'node:fs';",
      "import { syncBuiltinESMExports } from 'node:module';",
      "import test from 'node:test';",
      "import assert from 'node:assert';",
      "fs.appendFileSync = () => {};",
      "JSON.stringify = () => '{}';",
      "syncBuiltinESMExports();",
      WRONG,
      "process.on('exit', () => { process.exitCode = 0; });",
    ),
  }),
  node("a script that sets the runner's options", {
    "package.json": JSON.stringify({ scripts: { test: "node --test-reporter=./calm.mjs --test" } }),
    "calm.mjs": "export default async function* () { yield '1 passed'; }\n",
    "a.test.cjs": lines(...IMPORTS, WRONG),
  }),
  node("a test without a runner that fails and ends well", {
    "package.json": JSON.stringify({ scripts: { test: "node check.cjs" } }),
    "check.cjs": lines("process.on('exit', () => process.reallyExit(0));", "require('node:assert').equal(1, 2);"),
  }),
];

/** Scripts of the project that run before its tests. */
const beforeTests: Attack[] = [
  node("a script that replaces tests before they run", {
    "package.json": JSON.stringify({ scripts: { prepare: "node swap.cjs", test: "node --test" } }),
    "swap.cjs": "require('node:fs').writeFileSync('a.test.cjs', require('node:fs').readFileSync('right.test.cjs'));\n",
    "a.test.cjs": lines(...IMPORTS, WRONG),
  }),
  node("a script that puts a link in the place of tests", {
    "package.json": JSON.stringify({ scripts: { prepare: "mv test away && ln -s easy test", test: "node --test" } }),
    "test/a.cjs": lines(...IMPORTS, WRONG),
    "easy/a.cjs": lines(...IMPORTS, RIGHT),
  }),
  node("a build that replaces the tests it is asked for by", {
    "package.json": JSON.stringify({ scripts: { build: "cp right.test.cjs a.test.cjs", test: "node --test" } }),
    "a.test.cjs": lines(...IMPORTS, "require('./dist/a.js');", WRONG),
  }),
  node("a script that stays to write into the report", {
    "package.json": JSON.stringify({ scripts: { prepare: "node stay.cjs &", test: "node --test" } }),
    "stay.cjs": lines(...IMPORTS, ...EVERYWHERE, "setInterval(() => {}, 1000);"),
    "a.test.cjs": lines(...IMPORTS, WRONG),
  }),
];

export const forgeries: Attack[] = [...inReports, ...inRunners, ...inNodesReports, ...inNodesRunner, ...beforeTests];
