/** Throttling of a stage: a burst limit and a rate per second. */

export interface TokenBucket {
  take(): boolean;
}

export function createTokenBucket({ rate, burst }: { rate: number; burst: number }, now: () => number): TokenBucket {
  let tokens = burst;
  let since = now();
  return {
    take() {
      const moment = now();
      tokens = Math.min(burst, tokens + ((moment - since) / 1_000) * rate);
      since = moment;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
