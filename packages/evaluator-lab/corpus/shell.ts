/** Shell scripts, for several shells. */
import { type Label, lines, type Project } from "./project.ts";

const sound: Label = { syntax: "passed", tests: "not_found" };
const broken = (...findings: string[]): Label => ({ syntax: "failed", tests: "not_found", findings });

export const shellProjects: Project[] = [
  {
    name: "shell: healthy",
    kind: "shell",
    files: {
      "build.sh": lines(
        "#!/usr/bin/env bash",
        "set -euo pipefail",
        "names=(a b)",
        'for name in "$' + '{names[@]}"; do',
        '  echo "$name"',
        "done",
      ),
      "bin/run": lines("#!/bin/sh", 'if [ "$#" -gt 0 ]; then', '  echo "$1"', "fi"),
      "lib.sh": lines("greet() {", '  printf "%s\\n" "hello"', "}"),
    },
    label: sound,
  },
  {
    name: "shell: a condition that never ends",
    kind: "shell",
    files: { "a.sh": lines("#!/bin/sh", 'if [ "$#" -gt 0 ]; then', '  echo "$1"') },
    label: broken("a.sh:4 shell"),
  },
  {
    name: "shell: a word that nothing opened",
    kind: "shell",
    files: { "a.sh": lines("#!/bin/bash", "echo a", "done", "echo b") },
    label: broken("a.sh:3 shell"),
  },
  {
    name: "shell: a function that is never closed",
    kind: "shell",
    files: { "a.sh": lines("#!/bin/bash", "a() {", "  echo b", "echo c") },
    label: broken("a.sh:5 shell"),
  },
  {
    name: "shell: the line ends of Windows",
    kind: "shell",
    files: { "a.sh": "#!/bin/bash\r\necho a\r\n" },
    label: broken("a.sh:1 shell"),
  },
  {
    name: "shell: a here-document that never ends",
    kind: "shell",
    files: { "a.sh": lines("#!/bin/bash", "cat <<END", "a", "  END") },
    label: broken("a.sh:2 shell"),
  },
  {
    name: "shell: here-documents, arithmetic and patterns",
    kind: "shell",
    files: {
      "a.sh": lines(
        "#!/bin/bash",
        "shopt -s extglob nullglob",
        "cat <<-'END'",
        "\tif $(fi {{ done",
        "\tEND",
        'for ((i = 0; i < 3; i++)); do echo "$((i * 2))"; done',
        "for file in !(a|b).txt; do",
        '  [[ $file =~ ^[a-z]+$ ]] && echo "$file"',
        "done",
      ),
    },
    label: sound,
  },
  {
    name: "shell: files without an ending that are no scripts",
    kind: "shell",
    files: { notes: "fi fi fi\n", "bin/tool": "#!/usr/bin/env node\nlet a = `b`;\n", "a.json": "{}\n" },
    label: { syntax: "passed", tests: "not_run: nothing_to_check" },
  },
  {
    name: "shell: broken beside a healthy program",
    kind: "mixed",
    files: {
      "a.test.js": 'require("node:test")("works", () => {});\n',
      "deploy.sh": lines("case $1 in", "a) echo b ;;"),
    },
    label: { syntax: "failed", tests: "passed", counts: [1, 0, 0, 0], findings: ["deploy.sh:3 shell"] },
  },
];
