/** Projects of data: JSON, YAML, TOML, HTML and CSS, healthy and broken, alone and beside code. */
import { type Label, lines, type Project } from "./project.ts";

const sound: Label = { syntax: "passed", tests: "not_run: nothing_to_check" };
const broken = (...findings: string[]): Label => ({
  syntax: "failed",
  tests: "not_run: nothing_to_check",
  findings,
});

const data = (name: string, files: Project["files"], label: Label): Project => ({
  name: `data: ${name}`,
  kind: "data",
  files,
  label,
});

export const dataProjects: Project[] = [
  data(
    "settings in three formats",
    {
      "settings.json": '{ "level": 3, "names": ["ä", "\\u00f6"] }\n',
      "settings.yaml": "level: 3\nnames: [ä, ö]\n",
      "settings.toml": 'level = 3\nnames = ["ä", "ö"]\n\n[[table]]\nat = 1979-05-27T07:32:00Z\n',
    },
    sound,
  ),
  data(
    "a comma after the last element of JSON",
    { "data/a.json": '{\n  "a": 1,\n  "b": 2,\n}\n' },
    broken("data/a.json:4 json"),
  ),
  data("JSON that was cut off", { "a.json": '[\n  { "a": 1 },\n  { "a": 2\n' }, broken("a.json:4 json")),
  data("JSON as a model shows it, in a fence", { "a.json": '```json\n{ "a": 1 }\n```\n' }, broken("a.json:1 json")),
  data("JSON with a comment in it", { "a.json": '{\n  "a": 1 // one\n}\n' }, broken("a.json:2 json")),
  data(
    "settings of tools, with comments",
    {
      "tsconfig.json": '// for the build\n{\n  "compilerOptions": { "strict": true, /* always */ },\n}\n',
      ".vscode/settings.json": '{\n  // why\n  "a": 1,\n}\n',
      "a.jsonc": "{ /* nothing */ }\n",
    },
    sound,
  ),
  data(
    "settings of tools, broken all the same",
    { "tsconfig.json": '{\n  // for the build\n  "a" 1\n}\n' },
    broken("tsconfig.json:3 json"),
  ),
  data("lines of JSON", { "a.jsonl": '{"a":1}\n{"a":2}\n', "b.ndjson": '{"a":1}\n{"a":\n' }, broken("b.ndjson:2 json")),
  data("a notebook", { "a.ipynb": '{ "cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5 }\n' }, sound),
  data(
    "a repeated key in YAML",
    { "compose.yaml": lines("services:", "  web: { image: a }", "  web: { image: b }") },
    broken("compose.yaml:3 yaml"),
  ),
  data(
    "YAML indented wrongly",
    { "a.yml": lines("on: push", "jobs:", "  test:", "    runs-on: linux", "   steps: []") },
    broken("a.yml:5 yaml"),
  ),
  data(
    "a pattern that YAML takes for an alias",
    { "a.yml": lines("paths:", "  - src", "  - *.py") },
    broken("a.yml:3 yaml"),
  ),
  data(
    "anchors, merges and several documents of YAML",
    {
      "a.yaml": lines(
        "base: &base",
        "  a: 1",
        "one:",
        "  <<: *base",
        "  b: 2",
        "---",
        "text: |",
        "  {{ no template }}",
        "...",
      ),
    },
    sound,
  ),
  data(
    "a template of CloudFormation",
    {
      "template.yaml": lines(
        "Resources:",
        "  Bucket:",
        "    Type: AWS::S3::Bucket",
        "    Properties:",
        "      BucketName: !Sub '" + "$" + "{AWS::StackName}-files'",
        "Outputs:",
        "  Name: { Value: !Ref Bucket }",
        "  Arn: { Value: !GetAtt [Bucket, Arn] }",
      ),
    },
    sound,
  ),
  data(
    "templates of Helm and Ansible",
    {
      "chart/templates/a.yaml": lines(
        "{{- if .Values.on }}",
        "a: {{ .Values.a | quote }}",
        "{{- else }}",
        "a: b",
        "{{- end }}",
      ),
      "play.yml": lines("- hosts: all", "  tasks:", '    - debug: { msg: "{{ a }}" }'),
    },
    sound,
  ),
  data(
    "TOML that sets a key twice",
    { "pyproject.toml": lines("[project]", 'name = "a"', 'version = "1"', 'name = "b"') },
    broken("pyproject.toml:4 toml"),
  ),
  data("TOML with a string that never ends", { "a.toml": lines("[a]", 'b = "c', "d = 1") }, broken("a.toml:2 toml")),
  data(
    "a page, a part of a page and a template",
    {
      "index.html": "<!doctype html>\n<title>A</title>\n<p>one\n<p>two<br>\n<ul><li>a<li>b</ul>\n",
      "part.html": "<li class=a>b</li>\n<li>c &amp; d < e</li>\n",
      "templates/base.html": '{% extends "a.html" %}\n{% if b %}<div>{% else %}<div class="c">{% endif %}\n</div>\n',
      "app.component.html": '<app-list *ngFor="let a of b" [c]="a" (d)="e()" /><p>{{ a < b }}</p>\n',
    },
    sound,
  ),
  data(
    "a page that was cut off",
    { "index.html": "<!doctype html>\n<html>\n<body>\n<main>\n<p>one</p>\n" },
    broken("index.html:4 html"),
  ),
  data(
    "a page with an end tag too many",
    { "index.html": "<body>\n<div>\n<p>a</p>\n</div>\n</div>\n</body>\n" },
    sound,
  ),
  data(
    "a page with a script in it that cannot be parsed",
    { "index.html": "<!doctype html>\n<canvas></canvas>\n<script>\nconst a = [1, 2;\n</script>\n" },
    broken("index.html:4 syntax"),
  ),
  data(
    "a page whose elements cross",
    { "index.html": "<p>\n<b>one <i>two</b></i>\n</p>\n" },
    broken("index.html:2 html"),
  ),
  data(
    "a page with an open comment, and an attribute twice",
    { "a.html": '<p>a</p>\n<a href="b" href="c">d</a>\n', "b.html": "<p>a</p>\n<!-- to here\n<p>b</p>" },
    broken("a.html:2 html", "b.html:3 html"),
  ),
  data(
    "styles as they are written today",
    {
      "a.css": lines(
        '@charset "utf-8";',
        "@layer base, more;",
        ":root { --a: { b: c }; --d: 1px }",
        "@layer base { .e { color: var(--a); &:hover { color: red } .f & { g: h } } }",
        "@container (width > 400px) { .i:has(> .j) { width: calc(100% - (2 * var(--d))) } }",
        "@media (400px <= width <= 700px) { .k { l: url(data:image/png;base64,AA==) } }",
      ),
    },
    sound,
  ),
  data(
    "styles with an open block",
    { "a.css": lines(".a { color: red; }", ".b {", "  color: blue;") },
    broken("a.css:2 css"),
  ),
  data("styles with a brace too many", { "a.css": lines(".a {", "  color: red;", "}", "}") }, broken("a.css:4 css")),
  data(
    "what tests are fed with, wrong on purpose",
    { "tests/fixtures/a.json": "{", "tests/data/invalid.yaml": "a: [\n", "a.json": "{}\n" },
    sound,
  ),
  {
    name: "data: read by the code, and broken",
    kind: "mixed",
    files: {
      "a.test.js": 'require("node:test")("works", () => {});\n',
      "main.js": 'console.log(require("./settings.json"));\n',
      "settings.json": "{ a: 1 }\n",
    },
    label: { syntax: "failed", tests: "passed", counts: [1, 0, 0, 0], findings: ["settings.json:1 json"] },
  },
  {
    name: "data: odd or broken beside healthy code that reads none of it",
    kind: "mixed",
    files: {
      "a.test.js": 'require("node:test")("works", () => {});\n',
      "samples/empty.json": "",
      "a.yaml": "one: 1\none: 2\n",
      "a.toml": "largest = 9223372036854775807\n",
      "a.html": '<p><a href="b">one</a>two</a></p>\n',
    },
    label: { syntax: "passed", tests: "passed", counts: [1, 0, 0, 0] },
  },
  {
    name: "data: a broken package.json is reported once",
    kind: "mixed",
    files: { "a.js": "console.log(1);\n", "package.json": '{\n  "name": "a",\n}\n' },
    label: { syntax: "failed", tests: "not_found", findings: ["package.json:3 json"] },
  },
  {
    name: "data: healthy beside code that nothing here can check",
    kind: "mixed",
    files: { "a.json": "{}\n", "a.yaml": "a: 1\n", "main.zig": "pub fn main() void {}\n" },
    label: { syntax: "not_run: no_toolchain", tests: "not_run: no_toolchain" },
  },
  data(
    "a hostile depth",
    { "a.json": `${"[".repeat(300_000)}${"]".repeat(300_000)}`, "b.yaml": `${"[".repeat(200)}\n` },
    broken("b.yaml:2 yaml"),
  ),
];
