/** Small JavaScript and TypeScript projects, each with one trait that real projects have. */
import type { Case } from "./case.ts";

export const javascriptCases: Case[] = [
  {
    name: "import-of-a-folder",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "package.json":
        '{"type":"module","scripts":{"test":"vitest run"},"devDependencies":{"vitest":"^3.0.0","typescript":"^5.0.0"}}\n',
      "src/index.ts": "export const one = 1;\n",
      "test/a.test.ts": `import { expect, it } from "vitest";
import { one } from "../src/";
it("is one", () => expect(one).toBe(1));
`,
    },
  },
  {
    name: "peer-of-a-tool",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "index.js": `export default function one() {
	return 1;
}
`,
      "package.json":
        '{"type":"module","scripts":{"test":"xo && ava"},"devDependencies":{"ava":"^6.4.1","xo":"^1.2.3"}}\n',
      "test.js": `import test from 'ava';
import one from './index.js';

test('one', t => {
	t.is(one(), 1);
});
`,
    },
  },
  {
    name: "npm-workspace",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "package.json": '{"private":true,"workspaces":["packages/*"],"scripts":{"test":"npm test --workspaces"}}\n',
      "packages/a/a.test.js":
        'import test from "node:test"; import assert from "node:assert"; import {one} from "./index.js"; test("one", () => assert.equal(one, 1));\n',
      "packages/a/index.js": 'import ms from "ms"; export const one = ms("1s") / 1000;\n',
      "packages/a/package.json":
        '{"name":"@mine/a","version":"1.0.0","type":"module","main":"index.js","scripts":{"test":"node --test"},"dependencies":{"ms":"^2.1.3"}}\n',
      "packages/b/b.test.js":
        'import test from "node:test"; import assert from "node:assert"; import {one} from "@mine/a"; test("one", () => assert.equal(one, 1));\n',
      "packages/b/package.json":
        '{"name":"@mine/b","version":"1.0.0","type":"module","scripts":{"test":"node --test"},"dependencies":{"@mine/a":"^1.0.0"}}\n',
    },
  },
  {
    name: "built-before-tests",
    install: ["npm install --no-audit --no-fund --loglevel=error", "npm run build"],
    test: ["npm test"],
    files: {
      "package.json":
        '{"name":"mine","version":"1.0.0","type":"module","scripts":{"build":"tsc","test":"node --test dist/*.test.js"},"devDependencies":{"typescript":"^5.0.0","@types/node":"^22.0.0"}}\n',
      "tsconfig.json":
        '{"compilerOptions":{"target":"es2022","module":"nodenext","outDir":"dist","rootDir":"src","strict":true},"include":["src"]}\n',
      "src/a.test.ts": `import test from "node:test";
test("a", () => {});
`,
    },
  },
  {
    name: "import-of-declarations-only",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "a.test.js":
        'import test from "node:test"; import {one} from "./index.js"; test("one", () => {if (one !== 1) throw 1;});\n',
      "index.js": "export const one = 1;\n",
      "package.json": '{"type":"module","scripts":{"test":"node --test"},"devDependencies":{"typescript":"^5.0.0"}}\n',
      "typings/index.d.ts": "export const one: number;\n",
      "typings/index.test-d.ts": `import { one } from "./index.js";
const two: number = one;
`,
    },
  },
  {
    name: "no-colour-asked",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "a.test.js": `import test from "node:test"; import assert from "node:assert"; import { styleText } from "node:util";
test("coloured where it is wished", () => { process.env.FORCE_COLOR = "1"; assert.equal(process.env.NO_COLOR, undefined); });
`,
      "package.json": '{"type":"module","scripts":{"test":"node --test"}}\n',
    },
  },
  {
    name: "prepared-after-install",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "a.js": '"use strict"\n',
      "a.test.js": 'const test = require("node:test"); test("a", () => import("mine"));\n',
      "package.json":
        '{"name":"mine","version":"1.0.0","exports":{"import":"./dist/a.mjs","require":"./a.js"},"scripts":{"build":"mkdir -p dist && cp a.js dist/a.mjs","prepare":"npm run build","test":"node --test"}}\n',
    },
  },
  {
    name: "test-that-asks-the-network",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "a.js": '"use strict"\n',
      "a.test.js": 'const test = require("node:test"); test("a", () => {});\n',
      "package.json": '{"scripts":{"test":"node --test","posttest":"npx npm@10 audit"}}\n',
    },
  },
  {
    name: "vitest-typecheck",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "a.test-d.ts":
        'import { expectTypeOf, test } from "vitest"; test("a", () => expectTypeOf<string>().toBeString());\n',
      "a.test.ts": 'import { expect, test } from "vitest"; test("a", () => expect(1).toBe(1));\n',
      "package.json":
        '{"type":"module","scripts":{"test":"vitest --run --typecheck"},"devDependencies":{"vitest":"^1.6.0","typescript":"^5.4.0"}}\n',
      "tsconfig.json":
        '{"compilerOptions":{"target":"es2022","module":"esnext","moduleResolution":"bundler","strict":true,"skipLibCheck":true}}\n',
    },
  },
  {
    name: "vitest-in-a-script",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "a.test.js": 'import { expect, test } from "vitest"; test("a", () => expect(1).toBe(1));\n',
      "package.json":
        '{"type":"module","scripts":{"test":"npm run unit","unit":"vitest run"},"devDependencies":{"vitest":"^3.0.0"}}\n',
    },
  },
  {
    name: "npm-alias",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "a.test.js":
        'import test from "node:test"; import ms from "old-ms"; test("a", () => { if (ms("1s") !== 1000) throw 1; });\n',
      "package.json":
        '{"type":"module","scripts":{"test":"node --test"},"devDependencies":{"old-ms":"npm:ms@2.0.0"}}\n',
    },
  },
  {
    name: "type-exported-by-name",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "a.test.ts":
        'import { expect, it } from "vitest"; import { one } from "./a"; it("is one", () => expect(one).toBe(1));\n',
      "a.ts": `interface Options { one: number }
const one = 1;
export { one, Options };
`,
      "package.json":
        '{"type":"module","scripts":{"test":"vitest run"},"devDependencies":{"vitest":"^3.0.0","typescript":"^5.0.0"}}\n',
      "tsconfig.json":
        '{"compilerOptions":{"target":"es2022","module":"esnext","moduleResolution":"bundler","strict":true,"noEmit":true}}\n',
    },
  },
  {
    name: "declared-const-exported",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "a.data.ts": `declare const data: { one: number };
export { data };
export default { load: () => ({ one: 1 }) };
`,
      "a.test.ts":
        'import { expect, it } from "vitest"; import a from "./a.data"; it("is one", () => expect(a.load().one).toBe(1));\n',
      "package.json":
        '{"type":"module","scripts":{"test":"vitest run"},"devDependencies":{"vitest":"^3.0.0","typescript":"^5.0.0"}}\n',
      "tsconfig.json":
        '{"compilerOptions":{"target":"es2022","module":"esnext","moduleResolution":"bundler","strict":true,"noEmit":true}}\n',
    },
  },
  {
    name: "types-from-declarations",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "package.json":
        '{"type":"module","scripts":{"test":"vitest run"},"devDependencies":{"vitest":"^3.0.0","typescript":"^5.0.0"}}\n',
      "tsconfig.json":
        '{"compilerOptions":{"target":"es2022","module":"esnext","moduleResolution":"bundler","strict":true,"noEmit":true}}\n',
      "types/matchers.d.ts": "export interface M { one: number }\n",
      "types/__tests__/a.test.ts":
        'import { expect, it } from "vitest"; import type { M } from "../matchers"; const m: M = { one: 1 }; it("is one", () => expect(m.one).toBe(1));\n',
      "types/__tests__/b.test.ts":
        'import { expect, it } from "vitest"; import { M } from "../matchers"; const m: M = { one: 1 }; it("is one", () => expect(m.one).toBe(1));\n',
    },
  },
  {
    name: "generated-before-tests",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "a.js": "export const one = 1;\n",
      "a.test.js":
        'import test from "node:test"; import { one } from "./dist/a.js"; test("a", () => { if (one !== 1) throw 1; });\n',
      "package.json":
        '{"type":"module","scripts":{"build":"mkdir -p dist && cp a.js dist/a.js","pretest":"npm run build","test":"node --test"}}\n',
    },
  },
  {
    name: "peer-of-a-library",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "a.test.jsx": `// @vitest-environment jsdom
import { expect, it } from "vitest"; import { render, screen } from "@testing-library/react"; import React from "react";
it("shows", () => { render(React.createElement("p", null, "one")); expect(screen.getByText("one")).toBeTruthy(); });
`,
      "package.json":
        '{"type":"module","scripts":{"test":"vitest run"},"devDependencies":{"vitest":"^3.0.0","jsdom":"^26.0.0","@testing-library/react":"^16.0.0","react":"^19.0.0","react-dom":"^19.0.0"}}\n',
    },
  },
  {
    name: "required-hook",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test"],
    files: {
      "build.js": `import pkg from './package.json';
if (!pkg.scripts.test) throw new Error("red");
`,
      "package.json": '{"scripts":{"test":"node --require ./register.js build.js && echo built"}}\n',
      "register.js": `// As @babel/register does: what is required is compiled first.
const { readFileSync } = require("node:fs");
require("node:module")._extensions[".js"] = (module, path) => module._compile(readFileSync(path, "utf8").replace(/import (\\w+) from '(.*)';/g, "const $1 = require('$2');"), path);
`,
    },
  },
];
