/** Small projects of several languages, and of Go, each with one trait that real projects have. */
import type { Case } from "./case.ts";

export const mixedCases: Case[] = [
  {
    name: "red-package-in-a-folder",
    install: ["pip install -q pytest"],
    test: ["python -m pytest -q", "npm test --prefix web"],
    third: 1,
    files: {
      "test_a.py": "def test_one(): pass\n",
      "web/check.js": 'throw new Error("red");\n',
      "web/package.json": '{"type":"module","scripts":{"test":"node check.js"}}\n',
    },
  },
  {
    name: "red-workspace-without-a-root-script",
    install: ["npm install --no-audit --no-fund --loglevel=error"],
    test: ["npm test --workspaces"],
    third: 1,
    files: {
      "package.json": '{"private":true,"workspaces":["packages/*"]}\n',
      "packages/a/package.json":
        '{"name":"a","version":"1.0.0","scripts":{"test":"mocha spec"},"devDependencies":{"mocha":"^11.0.0"}}\n',
      "packages/a/spec/a.js": 'it("fails", () => { throw new Error("red"); });\n',
      "packages/b/b.test.js": 'const test = require("node:test"); test("b", () => {});\n',
      "packages/b/package.json": '{"name":"b","version":"1.0.0","scripts":{"test":"node --test"}}\n',
    },
  },
  {
    name: "backend-and-frontend",
    install: [
      "pip install -q pytest -r backend/requirements.txt",
      "npm install --no-audit --no-fund --loglevel=error --prefix frontend",
    ],
    test: ["cd backend && python -m pytest -q", "npm test --prefix frontend"],
    files: {
      "backend/requirements.txt": "freezegun\n",
      "backend/app/__init__.py": "def one(): return 1\n",
      "backend/tests/test_a.py": `import freezegun
from app import one
def test_one(): assert one() == 1
`,
      "frontend/package.json":
        '{"type":"module","scripts":{"test":"vitest run"},"devDependencies":{"vitest":"^3.0.0"}}\n',
      "frontend/src/a.test.js": 'import { expect, test } from "vitest"; test("a", () => expect(1).toBe(1));\n',
    },
  },
  {
    name: "red-frontend-beside-an-api",
    install: ["pip install -q pytest", "npm install --no-audit --no-fund --loglevel=error --prefix web"],
    test: ["cd api && python -m pytest -q", "npm test --prefix web"],
    files: {
      "api/a.py": "def one(): return 1\n",
      "api/test_a.py": `from a import one
def test_one(): assert one() == 1
`,
      "web/package.json": '{"type":"module","scripts":{"test":"vitest run"},"devDependencies":{"vitest":"^3.0.0"}}\n',
      "web/src/a.spec.js": 'import { expect, test } from "vitest"; test("a", () => expect(1).toBe(2));\n',
    },
  },
  {
    name: "go-without-a-module-file",
    install: ["go mod init github.com/pkg/errors"],
    test: ["go test ./..."],
    files: {
      "a.go": `package errors

func One() int { return 1 }
`,
      "a_test.go": `package errors

import "testing"

func TestOne(t *testing.T) { if One() != 1 { t.Fatal() } }
`,
      "example_test.go": `package errors_test

import (
	"fmt"

	"github.com/pkg/errors"
)

func ExampleOne() {
	fmt.Println(errors.One())
	// Output: 1
}
`,
    },
  },
  {
    name: "go-dependency-of-one-package",
    install: ["go mod tidy"],
    test: ["go vet ./... && go test ./..."],
    files: {
      "a.go": `package a

func One() int { return 1 }
`,
      "a_test.go": `package a

import "testing"

func TestOne(t *testing.T) { if One() != 1 { t.Fatal() } }
`,
      "go.mod": `module example.com/a

go 1.21

require github.com/google/uuid v1.6.0
`,
      "b/b.go": `package b

import "github.com/google/uuid"

func Two() string { return uuid.NewString() }
`,
    },
  },
];
