/** The concurrent executions of an account: beyond them Lambda refuses the calls of every function. */
export interface FunctionPool {
  run<Answer>(work: () => Promise<Answer>): Promise<Answer>;
  busiest(): number;
}

export class Throttled extends Error {
  /** As Step Functions names it. */
  override readonly name = "Lambda.TooManyRequestsException";
}

export function createFunctionPool(executions: number): FunctionPool {
  let running = 0;
  let busiest = 0;
  return {
    async run(work) {
      if (running >= executions) throw new Throttled("Rate Exceeded.");
      running += 1;
      busiest = Math.max(busiest, running);
      try {
        return await work();
      } finally {
        running -= 1;
      }
    },
    busiest: () => busiest,
  };
}
