/** When a server says to come back. Pure. */

/** `retry-after-ms` in milliseconds; `Retry-After` in seconds, or as a date. */
export function retryAfterMsOf(headers: Record<string, string>, now: number): number | undefined {
  return (
    milliseconds(headers["retry-after-ms"], 1) ??
    milliseconds(headers["retry-after"], 1_000) ??
    until(headers["retry-after"], now)
  );
}

function milliseconds(text: string | undefined, unit: number): number | undefined {
  const value = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? Math.ceil(value * unit) : undefined;
}

function until(text: string | undefined, now: number): number | undefined {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
