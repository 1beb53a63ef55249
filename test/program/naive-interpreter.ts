/** The meaning of programs as a plain recursion that keeps its place on the call stack: what `advance` is compared with. */
import type { Program, ProgramNode } from "../../lib/core/program/language/schema.ts";

export interface World {
  holds: () => boolean;
  items: () => number;
}

class Stopped extends Error {}

/** What happens, in order: steps by id, questions, facts that are found out, and how it ends. The world may read it. */
export function interpret(program: Program, world: World, log: string[] = []): string[] {
  function find(id: string | undefined): boolean {
    log.push(`find out ${id}`);
    return world.holds();
  }
  function list(nodes: ProgramNode[]): void {
    for (const node of nodes) run(node);
  }
  function stop(why: string): never {
    throw new Stopped(why);
  }
  function run(node: ProgramNode): void {
    if (node.kind === "do") log.push(`step ${node.id}`);
    if (node.kind === "ask") log.push(`ask ${node.id}`);
    if (node.kind === "group") list(node.body);
    if (node.kind === "call") list(node.body ?? []);
    if (node.kind === "if") {
      if (find(node.id)) list(node.then);
      else if (node.else) list(node.else);
    }
    if (node.kind === "assert" && !find(node.id)) {
      if (node.otherwise === "stop") stop("check_failed");
      log.push(`step ${node.id}`);
      if (!find(node.id)) stop("check_failed");
    }
    if (node.kind === "for_each") {
      if (!Array.isArray(node.items)) log.push(`count ${node.id}`);
      const count = Array.isArray(node.items) ? node.items.length : world.items();
      if (count > node.atMost) stop("too_many_items");
      for (let item = 0; item < count; item += 1) list(node.body);
    }
    if (node.kind === "repeat") {
      let reached = false;
      for (let round = 1; round <= node.atMost && !reached; round += 1) {
        list(node.body);
        reached = find(node.id);
      }
      if (!reached && node.otherwise !== "continue") stop("not_reached");
    }
  }
  try {
    list(program.instructions);
    log.push("end");
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    log.push(`stop ${error.message}`);
  }
  return log;
}
