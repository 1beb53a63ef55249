/** Planned failures: which calls they affect, how many pass first, and how often they happen. Pure. */

export interface Disturbance<Call, Trouble> {
  meets(call: Call): boolean;
  trouble: Trouble;
  /** So many that it would meet are let pass first. */
  after?: number;
  /** Absent: once. */
  times?: number;
}

export interface PlannedDisturbance {
  /** How often it has happened. */
  happened(): number;
}

export interface Disturbances<Call, Trouble> {
  plan(disturbance: Disturbance<Call, Trouble>): PlannedDisturbance;
  /** The first planned failure that matches this call. */
  of(call: Call): Trouble | undefined;
  /** Nothing goes wrong any more. */
  clear(): void;
}

interface PendingDisturbance<Call, Trouble> extends Disturbance<Call, Trouble> {
  met: number;
  happened: number;
}

export function createDisturbances<Call, Trouble>(): Disturbances<Call, Trouble> {
  const waiting: PendingDisturbance<Call, Trouble>[] = [];
  return {
    plan(disturbance) {
      const planned = { ...disturbance, met: 0, happened: 0 };
      waiting.push(planned);
      return { happened: () => planned.happened };
    },
    of(call) {
      const planned = waiting.filter((each) => !isOver(each) && each.meets(call));
      for (const each of planned) each.met += 1;
      const found = planned.find(({ met, after = 0 }) => met > after);
      if (found) found.happened += 1;
      return found?.trouble;
    },
    clear: () => void waiting.splice(0),
  };
}

const isOver = ({ happened, times = 1 }: PendingDisturbance<unknown, unknown>): boolean => happened >= times;
