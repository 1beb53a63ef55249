/** Projects of data: JSON, YAML, TOML, HTML and CSS, healthy and broken, alone and beside code. */
import { type Label, lines, type Project } from "./project.ts";

const sound: Label = { syntax: "passed", tests: "not_run: nothing_to_check" };
const broken = (...findings: string[]): Label => ({
  syntax: "failed",
  tests: "not_run: nothing_to_check",
  findings,
});

export const dataProjects: Project[] = [
  {
    name: "data: settings in three formats",
    kind: "data",
    files: {
      "settings.json": '{ "level": 3, "names": ["ä", "\\u00f6"] }\n',
      "settings.yaml": "level: 3\nnames: [ä, ö]\n",
      "settings.toml": 'level = 3\nnames = ["ä", "ö"]\n\n[[table]]\nat = 1979-05-27T07:32:00Z\n',
    },
    label: sound,
  },
  {
    name: "data: a comma after the last element of JSON",
    kind: "data",
    files: { "data/a.json": '{\n  "a": 1,\n  "b": 2,\n}\n' },
    label: broken("data/a.json:4 json"),
  },
  {
    name: "data: JSON that was cut off",
    kind: "data",
    files: { "a.json": '[\n  { "a": 1 },\n  { "a": 2\n' },
    label: broken("a.json:4 json"),
  },
  {
    name: "data: JSON as a model shows it, in a fence",
    kind: "data",
    files: { "a.json": '```json\n{ "a": 1 }\n```\n' },
    label: broken("a.json:1 json"),
  },
  {
    name: "data: JSON with a comment in it",
    kind: "data",
    files: { "a.json": '{\n  "a": 1 // one\n}\n' },
    label: broken("a.json:2 json"),
  },
  {
    name: "data: settings of tools, with comments",
    kind: "data",
    files: {
      "tsconfig.json": '// for the build\n{\n  "compilerOptions": { "strict": true, /* always */ },\n}\n',
      ".vscode/settings.json": '{\n  // why\n  "a": 1,\n}\n',
      "a.jsonc": "{ /* nothing */ }\n",
    },
    label: sound,
  },
  {
    name: "data: settings of tools, broken all the same",
    kind: "data",
    files: { "tsconfig.json": '{\n  // for the build\n  "a" 1\n}\n' },
    label: broken("tsconfig.json:3 json"),
  },
  {
    name: "data: lines of JSON",
    kind: "data",
    files: { "a.jsonl": '{"a":1}\n{"a":2}\n', "b.ndjson": '{"a":1}\n{"a":\n' },
    label: broken("b.ndjson:2 json"),
  },
  {
    name: "data: a notebook",
    kind: "data",
    files: { "a.ipynb": '{ "cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5 }\n' },
    label: sound,
  },
  {
    name: "data: a repeated key in YAML",
    kind: "data",
    files: { "compose.yaml": lines("services:", "  web: { image: a }", "  web: { image: b }") },
    label: broken("compose.yaml:3 yaml"),
  },
  {
    name: "data: YAML indented wrongly",
    kind: "data",
    files: { "a.yml": lines("on: push", "jobs:", "  test:", "    runs-on: linux", "   steps: []") },
    label: broken("a.yml:5 yaml"),
  },
  {
    name: "data: a pattern that YAML takes for an alias",
    kind: "data",
    files: { "a.yml": lines("paths:", "  - src", "  - *.py") },
    label: broken("a.yml:3 yaml"),
  },
  {
    name: "data: anchors, merges and several documents of YAML",
    kind: "data",
    files: {
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
    label: sound,
  },
  {
    name: "data: a template of CloudFormation",
    kind: "data",
    files: {
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
    label: sound,
  },
  {
    name: "data: templates of Helm and Ansible",
    kind: "data",
    files: {
      "chart/templates/a.yaml": lines(
        "{{- if .Values.on }}",
        "a: {{ .Values.a | quote }}",
        "{{- else }}",
        "a: b",
        "{{- end }}",
      ),
      "play.yml": lines("- hosts: all", "  tasks:", '    - debug: { msg: "{{ a }}" }'),
    },
    label: sound,
  },
  {
    name: "data: TOML that sets a key twice",
    kind: "data",
    files: { "pyproject.toml": lines("[project]", 'name = "a"', 'version = "1"', 'name = "b"') },
    label: broken("pyproject.toml:4 toml"),
  },
  {
    name: "data: TOML with a string that never ends",
    kind: "data",
    files: { "a.toml": lines("[a]", 'b = "c', "d = 1") },
    label: broken("a.toml:2 toml"),
  },
  {
    name: "data: a page, a part of a page and a template",
    kind: "data",
    files: {
      "index.html": "<!doctype html>\n<title>A</title>\n<p>one\n<p>two<br>\n<ul><li>a<li>b</ul>\n",
      "part.html": "<li class=a>b</li>\n<li>c &amp; d < e</li>\n",
      "templates/base.html": '{% extends "a.html" %}\n{% if b %}<div>{% else %}<div class="c">{% endif %}\n</div>\n',
      "app.component.html": '<app-list *ngFor="let a of b" [c]="a" (d)="e()" /><p>{{ a < b }}</p>\n',
    },
    label: sound,
  },
  {
    name: "data: a page that was cut off",
    kind: "data",
    files: { "index.html": "<!doctype html>\n<html>\n<body>\n<main>\n<p>one</p>\n" },
    label: broken("index.html:4 html"),
  },
  {
    name: "data: a page with an end tag too many",
    kind: "data",
    files: { "index.html": "<body>\n<div>\n<p>a</p>\n</div>\n</div>\n</body>\n" },
    label: sound,
  },
  {
    name: "data: a page with a script in it that cannot be parsed",
    kind: "data",
    files: { "index.html": "<!doctype html>\n<canvas></canvas>\n<script>\nconst a = [1, 2;\n</script>\n" },
    label: broken("index.html:4 syntax"),
  },
  {
    name: "data: a page whose elements cross",
    kind: "data",
    files: { "index.html": "<p>\n<b>one <i>two</b></i>\n</p>\n" },
    label: broken("index.html:2 html"),
  },
  {
    name: "data: a page with an open comment, and an attribute twice",
    kind: "data",
    files: { "a.html": '<p>a</p>\n<a href="b" href="c">d</a>\n', "b.html": "<p>a</p>\n<!-- to here\n<p>b</p>" },
    label: broken("a.html:2 html", "b.html:3 html"),
  },
  {
    name: "data: styles as they are written today",
    kind: "data",
    files: {
      "a.css": lines(
        '@charset "utf-8";',
        "@layer base, more;",
        ":root { --a: { b: c }; --d: 1px }",
        "@layer base { .e { color: var(--a); &:hover { color: red } .f & { g: h } } }",
        "@container (width > 400px) { .i:has(> .j) { width: calc(100% - (2 * var(--d))) } }",
        "@media (400px <= width <= 700px) { .k { l: url(data:image/png;base64,AA==) } }",
      ),
    },
    label: sound,
  },
  {
    name: "data: styles with an open block",
    kind: "data",
    files: { "a.css": lines(".a { color: red; }", ".b {", "  color: blue;") },
    label: broken("a.css:2 css"),
  },
  {
    name: "data: styles with a brace too many",
    kind: "data",
    files: { "a.css": lines(".a {", "  color: red;", "}", "}") },
    label: broken("a.css:4 css"),
  },
  {
    name: "data: what tests are fed with, wrong on purpose",
    kind: "data",
    files: { "tests/fixtures/a.json": "{", "tests/data/invalid.yaml": "a: [\n", "a.json": "{}\n" },
    label: sound,
  },
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
  {
    name: "data: a hostile depth",
    kind: "data",
    files: { "a.json": `${"[".repeat(300_000)}${"]".repeat(300_000)}`, "b.yaml": `${"[".repeat(200)}\n` },
    label: broken("b.yaml:2 yaml"),
  },
];
