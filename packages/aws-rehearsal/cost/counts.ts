/** Counts the operations of each principal, and DynamoDB's capacity units. */
import { NO_UNITS, type Units } from "./units.ts";

export interface Count extends Units {
  principal: string;
  service: string;
  operation: string;
  requests: number;
  /** Of those, the ones that were answered with an error: conditions that did not hold are among them. */
  errors: number;
}

export interface Counts {
  note(asked: Pick<Count, "principal" | "service" | "operation">, answered: { status: number; units: Units }): void;
  all(): Count[];
}

export function createCounts(): Counts {
  const counts = new Map<string, Count>();
  return {
    note({ principal, service, operation }, { status, units }) {
      const key = JSON.stringify([principal, service, operation]);
      const before = counts.get(key) ?? { principal, service, operation, requests: 0, errors: 0, ...NO_UNITS };
      counts.set(key, {
        ...before,
        requests: before.requests + 1,
        errors: before.errors + Number(status >= FIRST_ERROR),
        read: before.read + units.read,
        write: before.write + units.write,
      });
    },
    all: () => [...counts.values()],
  };
}

const FIRST_ERROR = 400;
