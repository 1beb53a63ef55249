/** Where a program goes from each of its instructions, as ways between the states of a compiled machine. Pure. */
import type { Program, ProgramNode } from "../language/schema.ts";
import { addressInList, addressOf, type PlacedList, placedLists, type Sha256 } from "./address.ts";

export interface Stop {
  node: ProgramNode;
  /** `3.then.1`. */
  place: string;
  /** By which the machine recognises it. */
  address: string;
  lists: { prefix: string; stops: Stop[] }[];
  next: Stop | undefined;
  around: Stop | undefined;
}

/** `at`: it is the next instruction. `inside`: the next one is in a block. `always`: through a Choice state that looks on. */
export type Way =
  | { when: "at"; to: Stop }
  | { when: "inside"; prefix: string; to: Stop }
  | { when: "always"; to: Stop };

/** A model executes it, or a person answers it: it has a Task state. */
export const isExecuted = ({ node }: Stop): boolean =>
  node.kind === "do" || node.kind === "ask" || (node.kind === "assert" && node.otherwise === "repair");

/** It has a Choice state. */
export const isDecision = ({ node }: Stop): boolean => node.kind !== "do" && node.kind !== "ask";

const isLoop = ({ node }: Stop): boolean => node.kind === "for_each" || node.kind === "repeat";

export function stopsOf({ instructions }: Program, isTree: boolean, sha256: Sha256): Stop[] {
  const stops = stopsIn({ prefix: "", nodes: instructions }, undefined, sha256);
  if (isTree) return stops;
  for (const [index, stop] of stops.entries()) {
    if (stop.node.kind === "do") stop.address = addressInList(stop.node, stops.length - index - 1, sha256);
  }
  return stops;
}

function stopsIn({ prefix, nodes }: PlacedList, around: Stop | undefined, sha256: Sha256): Stop[] {
  const stops: Stop[] = [];
  for (const [index, node] of nodes.entries()) {
    const place = `${prefix}${index + 1}`;
    const stop: Stop = {
      node,
      place,
      around,
      next: undefined,
      lists: [],
      address: addressOf(node, place, sha256),
    };
    for (const list of placedLists(node, place))
      stop.lists.push({ prefix: list.prefix, stops: stopsIn(list, stop, sha256) });
    const before = stops.at(-1);
    if (before) before.next = stop;
    stops.push(stop);
  }
  return stops;
}

/** In the order of the file. */
export const allStops = (stops: Stop[]): Stop[] =>
  stops.flatMap((stop) => [stop, ...stop.lists.flatMap(({ stops: inner }) => allStops(inner))]);

const enter = (stop: Stop): Way => (isDecision(stop) ? { when: "always", to: stop } : { when: "at", to: stop });

/** Once it is done. */
export function waysAfter({ next, around }: Stop): Way[] {
  if (next) return [enter(next)];
  if (!around) return [];
  const prefix = around.lists[0]?.prefix ?? "";
  const again: Way[] = isLoop(around) ? [{ when: "inside", prefix, to: around }] : [];
  return [...again, ...waysAfter(around)];
}

/** From the Choice state of a block or check. None leads back to an earlier Choice state: a chain of them ends. */
export function waysFrom(stop: Stop): Way[] {
  const inside = stop.lists.flatMap(({ prefix, stops: [first] }): Way[] => {
    if (!first) return [];
    return isDecision(first) ? [{ when: "inside", prefix, to: first }] : [{ when: "at", to: first }];
  });
  const repair: Way[] = isExecuted(stop) ? [{ when: "at", to: stop }] : [];
  const onward = waysAfter(stop).filter((way) => way.when !== "inside");
  return [...inside, ...repair, ...onward];
}
