/** Small programs of every executable kind, by seed: only their shape matters. */
import type { Program, ProgramNode } from "../../lib/core/program/language/schema.ts";

/** Numbers from 0 to below 1, the same for a seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function seededProgram(seed: number): Program {
  const random = createRandom(seed);
  const upTo = (most: number): number => 1 + Math.floor(random() * most);
  let count = 0;
  const list = (depth: number): ProgramNode[] => Array.from({ length: upTo(3) }, () => node(depth));
  const tests = { tests: true as const };
  function node(depth: number): ProgramNode {
    count += 1;
    const id = `n${count}`;
    const kind = Math.floor(random() * (depth === 0 ? 5 : 9));
    if (kind === 1) return { kind: "assert", id, check: tests, otherwise: random() < 0.7 ? "repair" : "stop" };
    if (kind === 2) return { kind: "ask", id, question: "Which?", saveTo: "answer.txt" };
    if (kind === 3 && depth > 0) return { kind: "call", id, program: `called/${id}.yaml`, body: list(depth - 1) };
    if (kind === 5) return { kind: "group", id, body: list(depth - 1) };
    if (kind === 6) {
      const otherwise = random() < 0.5 ? { else: list(depth - 1) } : {};
      // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
      return { kind: "if", id, condition: tests, then: list(depth - 1), ...otherwise };
    }
    if (kind === 7) {
      const items = random() < 0.5 ? Array.from({ length: Math.floor(random() * 4) }, (_, at) => at) : { glob: "*.ts" };
      return { kind: "for_each", id, items, as: "item", atMost: upTo(4), body: list(depth - 1) };
    }
    if (kind === 8) {
      const otherwise = random() < 0.8 ? { otherwise: "continue" as const } : {};
      return { kind: "repeat", id, until: tests, atMost: upTo(4), ...otherwise, body: list(depth - 1) };
    }
    return { kind: "do", id, title: id, text: id, requirements: [] };
  }
  return { requirements: [], instructions: list(3) };
}
