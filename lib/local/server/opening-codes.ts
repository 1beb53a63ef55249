/**
 * Codes that stand in addresses of a page: each is changed for the server's key once, within a while. Addresses are
 * seen by others, in lists of processes, in histories and on screens; what is seen there is worth nothing any more.
 */
import { randomBytes } from "node:crypto";

export const CODE_MINUTES = 10;

export interface OpeningCodes {
  make(): string;
  /** Whether it held. It does no second time. */
  use(code: string): boolean;
}

export function createOpeningCodes(now: () => number): OpeningCodes {
  const expiries = new Map<string, number>();
  return {
    make() {
      const code = randomBytes(32).toString("base64url");
      expiries.set(code, now() + CODE_MINUTES * 60_000);
      return code;
    },
    use(code) {
      const expires = expiries.get(code);
      expiries.delete(code);
      return expires !== undefined && now() < expires;
    },
  };
}
