/** Projects made up for measuring: modules that import each other as a tree does, and a test file for each. */

export interface Project {
  files: Record<string, string>;
  /** A module that little depends on, as most are. */
  edited: string;
  /** A last line that changes nothing, for each change. */
  comment(change: number): string;
}

/** Each imports the one at half its number: the last ones are leaves. */
const parentOf = (index: number): number => Math.floor(index / 2);
const indexes = (files: number): number[] => Array.from({ length: files / 2 }, (_, index) => index);
const LINES = 40;

export function pythonProject(count: number, testsEach = 1): Project {
  const files: Record<string, string> = { "app/__init__.py": "" };
  for (const index of indexes(count)) {
    const parent = parentOf(index);
    files[`app/part_${index}.py`] = [
      index > 0 ? `from app.part_${parent} import value_${parent}` : "",
      `def value_${index}():`,
      `    return ${index > 0 ? `value_${parent}() + 1` : 1}`,
      ...Array.from({ length: LINES }, (_, line) => `def more_${line}(x):\n    return [x, ${line}, "text ${line}"]`),
      "",
    ].join("\n");
    files[`tests/test_part_${index}.py`] = [
      `from app.part_${index} import value_${index}`,
      ...Array.from({ length: testsEach }, (_, test) => `def test_${test}():\n    assert value_${index}() > ${-test}`),
      "",
    ].join("\n");
  }
  return { files, edited: `app/part_${count / 2 - 1}.py`, comment: (change) => `# ${change}` };
}

export function javascriptProject(count: number): Project {
  const files: Record<string, string> = { "package.json": '{"type":"module","scripts":{"test":"node --test"}}' };
  for (const index of indexes(count)) {
    const parent = parentOf(index);
    files[`src/part-${index}.js`] = [
      index > 0 ? `import { value_${parent} } from "./part-${parent}.js";` : "",
      `export const value_${index} = () => ${index > 0 ? `value_${parent}() + 1` : 1};`,
      ...Array.from({ length: LINES }, (_, line) => `export const more_${line} = (x) => [x, ${line}, "text ${line}"];`),
      "",
    ].join("\n");
    files[`test/part-${index}.test.js`] = [
      'import assert from "node:assert";',
      'import { test } from "node:test";',
      `import { value_${index} } from "../src/part-${index}.js";`,
      `test("part ${index}", () => assert(value_${index}() > 0));`,
      "",
    ].join("\n");
  }
  return { files, edited: `src/part-${count / 2 - 1}.js`, comment: (change) => `// ${change}` };
}

export function typescriptProject(count: number): Project {
  const project = javascriptProject(count);
  const typed = ([path, text]: [string, string]) => [
    path.replace(/\.js$/, ".ts"),
    text.replaceAll(/(part-\d+)\.js/g, "$1.ts").replaceAll("(x) =>", "(x: number): unknown[] =>"),
  ];
  const files = Object.fromEntries(Object.entries(project.files).map(typed));
  return { ...project, files, edited: project.edited.replace(/\.js$/, ".ts") };
}

export function jsonProject(count: number): Project {
  const files: Record<string, string> = {};
  for (let index = 0; index < count; index += 1)
    files[`data/part-${index}.json`] = JSON.stringify({
      index,
      lines: Array.from({ length: LINES }, (_, line) => `text ${line}`),
    });
  return { files, edited: "data/part-0.json", comment: (change) => " ".repeat(change) };
}
