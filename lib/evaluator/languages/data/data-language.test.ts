import { afterAll, describe, expect, it } from "vitest";
import { evaluation, type Files, removeFolders } from "../../../../test/doubles/evaluation.ts";

afterAll(removeFolders);

const syntaxOf = async (files: Files, paths?: string[]) =>
  (await evaluation(files, { syntax: paths ? { paths } : {} })).syntax;
const findings = async (files: Files) =>
  (await syntaxOf(files)).errors.map(({ path, line, column, message }) => `${path}:${line}:${column} ${message}`);

describe("data", () => {
  it("is checked by itself, and has no tests", async () => {
    const verdict = await evaluation({ "a.json": "{}", "b.yaml": "a: 1\n", "c.toml": "a = 1\n", "d.css": "a {}\n" });
    expect(verdict.syntax).toEqual({ status: "passed", errors: [] });
    expect(verdict.tests).toMatchObject({ status: "not_run", reason: "nothing_to_check" });
  });

  it("makes nothing green of code that cannot be checked", async () => {
    expect(await syntaxOf({ "a.json": "{}", "main.rs": "" })).toMatchObject({ reason: "no_toolchain" });
  });

  it("is checked in the files that were asked for, as far as they are there", async () => {
    const files = { "a.json": "{", "b.json": "{}", "c.py": "" };
    expect(await syntaxOf(files, ["b.json", "gone.json"])).toEqual({ status: "passed", errors: [] });
    expect(await syntaxOf(files, ["gone.json", "README.md"])).toMatchObject({ reason: "nothing_to_check" });
  });

  it("must be UTF-8, and says where it is not", async () => {
    const bytes = Buffer.concat([Buffer.from('{\n"a": "ü'), Buffer.from([0xff, 0x22, 0x7d])]);
    expect(await findings({ "a.json": bytes })).toEqual(["a.json:2:8 it is not valid UTF-8"]);
    const declared = Buffer.from('<meta charset="iso-8859-1"><p>\xfc</p>', "latin1");
    expect(await findings({ "a.html": declared })).toEqual([]);
  });

  it("may begin with a byte order mark", async () => {
    expect(await findings({ "a.json": "\ufeff{}", "a.css": "\ufeffa {}", "a.yml": "\ufeffa: 1" })).toEqual([]);
  });

  it("that is too large is not looked at, and that is said", async () => {
    const large = { "a.json": `[${"1,".repeat(600_000)}` };
    expect(await syntaxOf(large)).toMatchObject({
      status: "not_run",
      reason: "nothing_to_check",
      warnings: [{ path: "a.json", message: "not checked: it is larger than 1024 KiB" }],
    });
    expect(await syntaxOf({ ...large, "b.json": "{}" })).toMatchObject({ status: "passed", warnings: [{}] });
  });

  it("at which its parser runs out of stack is not checked, and no mistake", async () => {
    const deep = { "b.yml": "? ".repeat(60_000), "c.yml": "- ".repeat(60_000) };
    const { status, reason, errors, warnings } = await syntaxOf(deep);
    expect({ status, reason, errors }).toEqual({ status: "not_run", reason: "nothing_to_check", errors: [] });
    expect(warnings).toMatchObject([
      { path: "b.yml", message: "not checked: it is nested too deeply to be read" },
      { path: "c.yml", message: "not checked: it is nested too deeply to be read" },
    ]);
  });

  it("that is too much altogether is looked at as far as it goes", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`${at}.yaml`, `a: ${"b".repeat(250_000)}\n`]),
    );
    const { status, warnings } = await syntaxOf({ ...files, "9.yaml": "a: [\n" });
    expect({ status, warned: warnings?.map(({ path }) => path) }).toEqual({ status: "failed", warned: ["8.yaml"] });
  });

  it("that tests are fed with may be wrong on purpose", async () => {
    const files = { "tests/fixtures/a.json": "{", "test/broken.yaml": "a: [", "spec/invalid/a.toml": "a" };
    const { status, warnings } = await syntaxOf(files);
    expect(status).toBe("passed");
    expect(warnings?.map(({ path }) => path).toSorted()).toEqual(Object.keys(files).toSorted());
    expect(await findings({ "tests/settings.json": "{", "settings.json": "{" })).toHaveLength(1);
  });

  it("that neither a tool nor the code reads is advice", async () => {
    const broken = { "notes/a.json": "{", "b.toml": "a = [", "c.yaml": "a: [", "vendor/d.html": "<div>" };
    const unread = { ...broken, "main.js": "console.log('hello');\n", "tests/a.test.js": "open('b.toml');\n" };
    const { status, warnings } = await syntaxOf(unread);
    expect({ status, warned: warnings?.map(({ path }) => path).toSorted() }).toEqual({
      status: "passed",
      warned: Object.keys(broken).toSorted(),
    });
    const read = "a = open('notes/' + str(1))\nb = print('b')\nc = open('c.yaml')\n";
    expect((await findings({ ...broken, "main.py": read })).map((found) => found.split(":")[0]).toSorted()).toEqual([
      "b.toml",
      "c.yaml",
      "notes/a.json",
    ]);
  });

  it("that a tool reads is never advice", async () => {
    const broken = {
      "web/package.json": "{",
      "tsconfig.build.json": "{",
      "pyproject.toml": "a = [",
      "docker-compose.dev.yml": "a: [",
      ".github/workflows/test.yml": "a: 1\na: 2\n",
      ".prettierrc.json": "{",
    };
    const found = await findings({ ...broken, "main.py": "" });
    expect(found.map((each) => each.split(":")[0]).toSorted()).toEqual(Object.keys(broken).toSorted());
  });

  it("of which readers make something all the same is advice", async () => {
    const odd = { "a.yaml": "one: 1\none: 2\n", "b.html": '<p><a href="b">one</a>two</a></p>' };
    expect(await syntaxOf(odd)).toMatchObject({
      status: "passed",
      warnings: [
        { path: "a.yaml", line: 2, message: 'the key "one" is repeated' },
        { path: "b.html", message: "</a> closes nothing that is open" },
      ],
    });
  });

  it.each<[string, string]>([
    ["a.json", "[".repeat(500_000)],
    ["b.json", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
    ["tsconfig.json", "/*".repeat(500_000)],
    ["a.yaml", "[".repeat(50_000)],
    ["b.yaml", "- ".repeat(50_000)],
    ["c.yaml", `a: &a [1]\n${Array.from({ length: 2_000 }, (_, at) => `b${at}: &b${at} [*a,*a,*a]`).join("\n")}\n`],
    ["d.yaml", `a: \${{ `.repeat(30_000)],
    ["a.toml", `a = ${"[".repeat(500_000)}`],
    ["b.toml", `\${{`.repeat(300_000)],
    ["a.html", "<div>".repeat(200_000)],
    ["b.html", `<a ${Array.from({ length: 100_000 }, (_, at) => `a${at}=1`).join(" ")}>`],
    ["c.html", `<textarea>${"<script>".repeat(120_000)}</textarea>`],
    ["d.html", `<script>${"<!--".repeat(200_000)}</script>`],
    ["e.html", "<script>1</script>\n".repeat(40_000)],
    ["a.css", "a{".repeat(200_000)],
  ])(
    "of a hostile kind is reported, passed or named as not checked in time, and throws nothing (%s)",
    async (path, text) => {
      const { status, warnings = [] } = await syntaxOf({ [path]: text });
      const isUnread = warnings.some(({ message }) => message.startsWith("not checked: it is nested too deeply"));
      expect(isUnread ? ["not_run"] : ["passed", "failed"]).toContain(status);
    },
    20_000,
  );
});

describe("JSON", () => {
  it.each<[string, string, string]>([
    ["a comma too many", '{\n  "a": 1,\n}', "a.json:3:1 Expected double-quoted property name"],
    ["a comma too few", '{\n  "a": 1\n  "b": 2\n}', "a.json:3:3 Expected ',' or '}' after property value"],
    ["single quotes", "{ 'a': 1 }", "a.json:1:3 Expected property name or '}'"],
    ["a comment", '{\n  // why\n  "a": 1\n}', "a.json:2:3 Expected property name or '}'"],
    ["an open bracket", '{\n  "a": [1, 2\n', "a.json:3:1 Expected ',' or ']' after array element"],
    ["an open string", '{ "a": "b }', "a.json:1:12 Unterminated string"],
    ["a line break in a string", '["a\nb"]', "a.json:1:4 Bad control character in string literal"],
    ["a word that is no value", "[1,\n undefined]", "a.json:2:2 Unexpected token 'u'"],
    ["a number that is none", "[01, 2]", "a.json:1:3 Unexpected number"],
    ["an escape that is none", '["\\x"]', "a.json:1:4 Bad escaped character"],
    ["two values", "{}\n{}", "a.json:2:1 Unexpected non-whitespace character after JSON"],
    ["nothing at all", "\n", "a.json:2:1 the file is empty"],
  ])("is broken by %s", async (_, text, expected) => {
    expect(await findings({ "a.json": text })).toEqual([expected]);
  });

  it("names the place of an unexpected token in a long file", async () => {
    expect(await findings({ "a.json": `[\n${"1,\n".repeat(5_000)}x,\n1]` })).toEqual([
      "a.json:5002:1 Unexpected token 'x'",
    ]);
  });

  it("may have comments and commas at the end where its tools read them", async () => {
    const relaxed = '// why\n{\n  "a": [1, /* two */ 2,],\n}\n';
    const files = {
      "tsconfig.build.json": relaxed,
      ".vscode/settings.json": relaxed,
      ".eslintrc.json": relaxed,
      "a.jsonc": relaxed,
    };
    expect(await findings(files)).toEqual([]);
    expect(await findings({ "tsconfig.json": "{ /* never" })).toEqual([
      "tsconfig.json:1:11 Expected property name or '}'",
    ]);
    expect(await findings({ "tsconfig.json": "{,}" })).toHaveLength(1);
  });

  it("is read line by line where each is a value", async () => {
    expect(await findings({ "a.jsonl": '{"a":1}\n\n{"a":\n[2]\n', "b.ndjson": "1\n2" })).toEqual([
      "a.jsonl:3:6 Unexpected end of JSON input",
    ]);
  });

  it("of a package is reported once", async () => {
    const broken = { "package.json": "{", "web/package.json": "{" };
    const paths = async (files: Files, request?: string[]) =>
      (await syntaxOf(files, request)).errors.map(({ path }) => path);
    expect(await paths({ ...broken, "a.js": "" })).toEqual(["package.json", "web/package.json"]);
    expect(await paths(broken)).toEqual(["package.json", "web/package.json"]);
    expect(await paths({ ...broken, "a.js": "" }, ["package.json"])).toEqual(["package.json"]);
  });

  it("that a template engine fills in is left to it", async () => {
    expect(await findings({ "a.json": '{ "a": {{ value | tojson }} }', "b.json": '{{"a": 1}}' })).toHaveLength(1);
  });
});

describe("YAML", () => {
  it.each<[string, string, string]>([
    ["an open bracket", "a: 1\nb: [1, 2\nc: 3\n", "a.yaml:3:1"],
    ["an indentation that fits nowhere", "a:\n    b: 1\n  c: 2\n", "a.yaml:3:1"],
    ["an alias of nothing", "paths:\n  - *.js\n", 'a.yaml:2:5 nothing is anchored as ".js"'],
    ["a tab", "a:\n\tb: 1\n", "a.yaml:2:1"],
    ["an open quote", 'a: "b\n', "a.yaml:2:1"],
    ["a mistake in the second document", "a: 1\n---\nb: [\n", "a.yaml:4:1"],
  ])("is broken by %s", async (_, text, expected) => {
    const [first, ...rest] = await findings({ "a.yaml": text });
    expect(first?.slice(0, expected.length)).toBe(expected);
    expect(rest).toEqual([]);
  });

  it("may have several documents, anchors, merges and tags of its readers", async () => {
    const text = `base: &base { a: 1 }\none: { <<: *base }\n---\nname: !Ref Other\nsize: !Sub '\${A}-b'\nall: !GetAtt\n  - a\n  - b\n---\n`;
    expect(await findings({ "a.yml": text })).toEqual([]);
  });

  it("that a template engine fills in is left to it", async () => {
    const helm = "{{- if .Values.on }}\nkind: A\n{{- else }}\nkind: B\n{{- end }}\nname: {{ .Release.Name }}\n";
    const jinja = "{% for a in b %}\n- {{ a }}\n{% endfor %}\n";
    expect(await findings({ "templates/a.yaml": helm, "b.yml": jinja })).toEqual([]);
  });

  it("of a workflow is no template", async () => {
    expect(await findings({ "a.yml": `run: echo \${{ github.sha }}\n  bad: [\n` })).toHaveLength(1);
    expect(await findings({ "action.yml": 'msg: "{{ item }}"\nmsg: 2 # {{\n' })).toHaveLength(1);
  });
});

describe("TOML", () => {
  it.each<[string, string, string]>([
    ["a repeated key", "a = 1\na = 2\n", "a.toml:2:"],
    ["a value without quotes", "[x]\na = b\n", "a.toml:2:"],
    ["an open table", "[x\na = 1\n", "a.toml:1:"],
  ])("is broken by %s", async (_, text, expected) => {
    const found = await findings({ "a.toml": text });
    expect(found).toHaveLength(1);
    expect(found[0]?.slice(0, expected.length)).toBe(expected);
  });

  it("has integers of 64 bits", async () => {
    expect(await findings({ "a.toml": "a = 9223372036854775807\nb = 0x7fffffffffffffff\n" })).toEqual([]);
  });
});

describe("CSS", () => {
  it.each<[string, string, string]>([
    ["an open block", "a {\n  color: red;\n", "a.css:1:1 Unclosed block"],
    ["a brace too many", "a { color: red; }\n}\n", "a.css:2:1 Unexpected }"],
    ["an open comment", "a {}\n/* why\n", "a.css:2:1 Unclosed comment"],
    ["an open string", "a { content: 'b; }\n", "a.css:1:14 Unclosed string"],
    ["a missing semicolon", "a {\n  color: red\n  width: 1px;\n}\n", "a.css:2:"],
  ])("is broken by %s", async (_, text, expected) => {
    const [first, ...rest] = await findings({ "a.css": text });
    expect(first?.slice(0, expected.length)).toBe(expected);
    expect(rest).toEqual([]);
  });
});

describe("HTML", () => {
  it.each<[string, string, string]>([
    ["an element that is never closed", "<main>\n  <p>one\n", "a.html:1:1 <main> is never closed"],
    ["one that another closes", "<ul>\n<li><div>one\n</ul>\n", "a.html:2:5 <div> is still open where </ul>"],
    ["an open comment", "<p>a</p>\n<!-- why\n", "a.html:3:1 a comment is never closed"],
    ["an open tag", "<p>a</p>\n<img src='a'\n", "a.html:3:1 a tag is never closed"],
    ["an open attribute", '<p>\n<a href="b>c</a>\n', "a.html:3:1 a tag is never closed"],
    ["a repeated attribute", '<p>\n<a id="b" id="c">d</a>', "a.html:2:"],
    [
      "a script that is closed with a stroke",
      '<script src="a.js"/>\n<p>b</p>\n',
      "a.html:1:1 <script> is never closed",
    ],
  ])("is broken by %s", async (_, text, expected) => {
    const [first, ...rest] = await findings({ "a.html": text });
    expect(first?.slice(0, expected.length)).toBe(expected);
    expect(rest).toEqual([]);
  });

  it("may leave out what it may leave out", async () => {
    const files = {
      "a.html":
        "<!doctype html><title>a < b</title><p>one<p>two<ul><li>a<li>b</ul><table><tr><td>1<td>2</table><br><img src=a>",
      "fragment.html": "<li><b>a</b></li>\n<p><div>b</div></p>\n",
      "drawing.html": '<svg><path d="M0"/><g><title>a</title><style>a > b {}</style></g></svg><x-y/><p/>',
      "script.html": "<script>if (a < b && '</div>') { x = '<div>'; }</script><textarea><div></textarea><!-- <div> -->",
      "old.html": '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><body><a name="b"/></body></html>',
      "CAPITALS.html": "<DIV><P>a</DIV>",
    };
    expect(await findings(files)).toEqual([]);
  });

  it("of a template is left to its engine, and values that are put in are no tags", async () => {
    const files = {
      "jinja.html": "{% if a %}<div>{% else %}<div class='b'>{% endif %}</div>",
      "page.php.html": "<?php if ($a): ?><div><?php endif ?>",
      "handlebars.html": "{{#if a}}<div>{{/if}}",
      "thymeleaf.html": '<td><span th:text="*{a}"/><div th:if="*{b}"></td>',
      "velocity.html": "#if($a)\n<div>\n#else\n<div class='b'>\n#end\n</div>",
      "vue.html": '<div v-for="a in b" :key="a" @click="c">{{ a < d ? "<b>" : a }}</div>',
      "angular.component.html":
        '<app-a *ngIf="b; else c" [d]="e" (f)="g($event)" /><ng-template #c>{{ h }}</ng-template>',
    };
    expect(await findings(files)).toEqual([]);
    expect(await findings({ "vue.html": "<div>{{ a }}" })).toHaveLength(1);
  });

  it("is broken by a script in it that cannot be parsed, at the script's own line", async () => {
    const page = "<!doctype html>\n<body>\n<script>\nlet a = 1;\nlet b = ;\n</script>\n</body>\n";
    expect(await findings({ "a.html": page })).toEqual(["a.html:5:9 SyntaxError: Unexpected token ';'"]);
    const module = '<p>a</p>\n<script type="module">import a from "./a.js"; export let b = ;</script>\n';
    const [found] = (await syntaxOf({ "a.html": module })).errors;
    expect(found).toMatchObject({ path: "a.html", line: 2, rule: "syntax" });
  });

  it("may hold scripts of any kind, and data", async () => {
    const page = [
      '<script type="application/json">{ not js }</script><script type="text/x-template"><div>{</script>',
      '<script src="a.js"></script><script></script><!-- <script>let = ;</script> -->',
      '<script type="module">import "./a.js"; await 1;</script><script type="text/babel">let a = <b/>;</script>',
      "<script>const module = 1; var html = '<div>'; for (const a of [1]) a;</script>",
    ].join("\n");
    expect(await findings({ "a.html": page, "b.html": "<script>let a = {{ value }};</script>" })).toEqual([]);
  });
});
