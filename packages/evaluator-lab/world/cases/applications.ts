/** Small applications of the kinds that models write: games, web applications, a page with its server, programs. */
import type { Case } from "./case.ts";

const NPM = "npm install --no-audit --no-fund --loglevel=error";
const PIP = "pip install -q -r requirements.txt";

const BLACKJACK = {
  "hand.py": `FACES = {"J": 10, "Q": 10, "K": 10, "A": 11}


class Hand:
    def __init__(self, *cards):
        self.cards = list(cards)

    def value(self):
        value = sum(FACES.get(card) or int(card) for card in self.cards)
        aces = self.cards.count("A")
        while value > 21 and aces:
            value, aces = value - 10, aces - 1
        return value
`,
  "test_hand.py": `import pytest
from hand import Hand


@pytest.mark.parametrize("cards, value", [(("A", "K"), 21), (("A", "A"), 12), (("9", "9", "9"), 27)])
def test_value(cards, value):
    assert Hand(*cards).value() == value
`,
};

const PAGE = {
  "tsconfig.json":
    '{"compilerOptions":{"target":"es2022","lib":["es2022","dom"],"module":"esnext","moduleResolution":"bundler","jsx":"react-jsx","strict":true,"noEmit":true,"skipLibCheck":true,"types":[]},"include":["src"]}\n',
  "vitest.config.ts": `import { defineConfig } from "vitest/config";

export default defineConfig({ test: { environment: "jsdom" } });
`,
  "src/App.tsx": `import { useState } from "react";

export function App() {
  const [todos, setTodos] = useState<string[]>([]);
  return (
    <main>
      <button onClick={() => setTodos([...todos, "milk"])}>Add</button>
      <ul>{todos.map((todo) => <li key={todo}>{todo}</li>)}</ul>
    </main>
  );
}
`,
  "src/App.test.tsx": `import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { App } from "./App";

it("adds what is to be done", () => {
  render(<App />);
  fireEvent.click(screen.getByText("Add"));
  expect(screen.getByText("milk").tagName).toBe("LI");
});
`,
};
const PAGE_PACKAGES = {
  dependencies: { react: "^19.0.0", "react-dom": "^19.0.0" },
  devDependencies: {
    "@testing-library/dom": "^10.0.0",
    "@testing-library/react": "^16.0.0",
    "@types/react": "^19.0.0",
    "@types/react-dom": "^19.0.0",
    ...{ jsdom: "^25.0.0", typescript: "^5.6.0", vite: "^6.0.0", vitest: "^3.0.0" },
  },
};
const PAGE_MANIFEST = { name: "client", private: true, type: "module", scripts: { test: "vitest run" } };

const SERVER = {
  "app.js": `import { DatabaseSync } from "node:sqlite";
import express from "express";

export function createApp() {
  const todos = new DatabaseSync(":memory:");
  todos.exec("CREATE TABLE todos (text TEXT NOT NULL)");
  return express()
    .use(express.json())
    .get("/todos", (_, response) => response.json(todos.prepare("SELECT text FROM todos").all()))
    .post("/todos", ({ body }, response) => {
      if (!body?.text) return response.status(400).end();
      todos.prepare("INSERT INTO todos VALUES (?)").run(body.text);
      return response.status(201).end();
    });
}
`,
  "app.test.js": `import test from "node:test";
import request from "supertest";
import { createApp } from "./app.js";

test("keeps what is to be done", async () => {
  const app = createApp();
  await request(app).post("/todos").send({ text: "milk" }).expect(201);
  await request(app).get("/todos").expect([{ text: "milk" }]);
});
`,
  "package.json":
    '{"name":"server","private":true,"type":"module","scripts":{"test":"node --test"},"dependencies":{"express":"^5.0.0"},"devDependencies":{"supertest":"^7.0.0"}}\n',
};

const under = (folder: string, files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

const workspace = (page: Record<string, string>): Record<string, string> => ({
  "package.json":
    '{"name":"todo","private":true,"workspaces":["client","server"],"scripts":{"test":"npm test --workspaces --if-present"}}\n',
  ...under("client", { ...page, "package.json": JSON.stringify({ ...PAGE_MANIFEST, ...PAGE_PACKAGES }) }),
  ...under("server", SERVER),
});

const COUNTER = {
  "Cargo.toml": '[package]\nname = "counter"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\nanyhow = "1"\n',
  "src/main.rs": `fn main() -> anyhow::Result<()> {
    println!("{}", counter::count(&std::fs::read_to_string("words.txt")?));
    Ok(())
}
`,
  "src/lib.rs": `pub fn count(text: &str) -> usize {
    text.split_whitespace().count()
}

#[test]
fn counts() {
    assert_eq!(count("a b a"), 3);
}
`,
};

const ROUTER = {
  "go.mod": "module example.com/notes\n\ngo 1.21\n\nrequire github.com/go-chi/chi/v5 v5.1.0\n",
  "main.go": `package main

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

func router() http.Handler {
	r := chi.NewRouter()
	r.Get("/notes", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return r
}

func main() { _ = http.ListenAndServe(":8080", router()) }
`,
  "main_test.go": `package main

import (
	"net/http/httptest"
	"testing"
)

func TestNotes(t *testing.T) {
	w := httptest.NewRecorder()
	router().ServeHTTP(w, httptest.NewRequest("GET", "/notes", nil))
	if w.Code != 204 {
		t.Fatal(w.Code)
	}
}
`,
};

export const applicationCases: Case[] = [
  {
    name: "blackjack-with-a-pytest-too-old-for-its-python",
    ...{ install: [PIP], test: ["python -m pytest -q"] },
    files: { ...BLACKJACK, "requirements.txt": "pytest==5.4.3\n" },
  },
  {
    name: "snake-with-pygame",
    ...{ install: [PIP], test: ["python -m pytest -q"] },
    files: {
      "requirements.txt": "pygame\npytest\n",
      "snake.py": `import pygame

CELL = 20


def draw(surface, cells):
    for x, y in cells:
        pygame.draw.rect(surface, (0, 200, 0), pygame.Rect(x * CELL, y * CELL, CELL, CELL))


def main():
    pygame.init()
    draw(pygame.display.set_mode((400, 400)), [(5, 5)])
    pygame.display.flip()
    pygame.quit()
`,
      "test_snake.py": `import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
import pygame
from snake import CELL, draw, main


def test_draws():
    surface = pygame.Surface((200, 200))
    draw(surface, [(5, 5)])
    assert surface.get_at((5 * CELL, 5 * CELL))[:3] == (0, 200, 0)


def test_starts():
    main()
`,
    },
  },
  {
    name: "shortener-with-accounts",
    ...{ install: [PIP], test: ["python -m pytest -q"] },
    files: {
      "requirements.txt": "Flask>=3.0\nFlask-SQLAlchemy>=3.1\npytest>=8\n",
      "app/__init__.py": `from flask import Flask, redirect, request
from flask_sqlalchemy import SQLAlchemy

db = SQLAlchemy()


class Link(db.Model):
    key = db.Column(db.String(32), primary_key=True)
    target = db.Column(db.String(2048), nullable=False)


def create_app(address="sqlite:///:memory:"):
    app = Flask(__name__)
    app.config["SQLALCHEMY_DATABASE_URI"] = address
    db.init_app(app)
    app.post("/<key>")(add)
    app.get("/<key>")(follow)
    with app.app_context():
        db.create_all()
    return app


def add(key):
    db.session.add(Link(key=key, target=request.get_json()["target"]))
    db.session.commit()
    return "", 201


def follow(key):
    return redirect(db.get_or_404(Link, key).target)
`,
      "tests/conftest.py": `import pytest
from app import create_app


@pytest.fixture
def client():
    return create_app().test_client()
`,
      "tests/test_links.py": `def test_follows(client):
    assert client.post("/a", json={"target": "https://example.org"}).status_code == 201
    assert client.get("/a").headers["Location"] == "https://example.org"


def test_knows_no_other(client):
    assert client.get("/b").status_code == 404
`,
    },
  },
  { name: "page-and-server", ...{ install: [NPM], test: ["npm test"] }, files: workspace(PAGE) },
  {
    name: "page-that-does-not-parse-and-server",
    ...{ install: [NPM], test: ["npm test"] },
    files: workspace({ ...PAGE, "src/App.tsx": PAGE["src/App.tsx"].replace("return (", "return ((") }),
  },
  {
    name: "page-and-server-each-by-itself",
    install: [`${NPM} --prefix client`, `${NPM} --prefix server`],
    test: ["npm test --prefix client", "npm test --prefix server"],
    files: Object.fromEntries(Object.entries(workspace(PAGE)).filter(([path]) => path !== "package.json")),
  },
  {
    name: "accounts-with-packages-that-are-compiled",
    ...{ install: [`${NPM} --ignore-scripts`], test: ["npm test"] },
    files: {
      "package.json":
        '{"type":"module","scripts":{"test":"node --test"},"dependencies":{"bcrypt":"^5.1.1","sqlite3":"^5.1.7"}}\n',
      "a.test.js": `import assert from "node:assert";
import test from "node:test";

test("hashes", async () => {
  const { default: bcrypt } = await import("bcrypt");
  assert.ok(await bcrypt.compare("secret", await bcrypt.hash("secret", 4)));
});
test("adds", () => assert.equal(1 + 1, 2));
`,
    },
  },
  { name: "counter-in-rust", ...{ install: ["cargo fetch"], test: ["cargo test --offline"] }, files: COUNTER },
  {
    name: "counter-in-rust-that-does-not-parse",
    ...{ install: [], test: ["cargo test --offline"] },
    files: { ...COUNTER, "src/lib.rs": `${COUNTER["src/lib.rs"]}pub fn broken() -> usize { 1 + ; }\n` },
  },
  { name: "router-in-go", ...{ install: ["go mod tidy"], test: ["go test ./..."] }, files: ROUTER },
  {
    name: "router-in-go-with-an-undefined-name",
    ...{ install: ["go mod tidy"], test: ["go test ./..."] },
    files: { ...ROUTER, "main_test.go": ROUTER["main_test.go"].replace("w.Code != 204", "w.Code != undefinedCode") },
  },
];
