import { afterEach, expect, it, vi } from "vitest";
import { localMinute, localMoment } from "./local-time.ts";

afterEach(() => vi.unstubAllEnvs());

it.each([
  ["UTC", "2026-07-01 22:30:05 UTC"],
  ["Europe/Berlin", "2026-07-02 00:30:05 UTC+02:00"],
  ["America/St_Johns", "2026-07-01 20:00:05 UTC-02:30"],
])("a moment is shown as a clock in %s shows it", (zone, shown) => {
  vi.stubEnv("TZ", zone);
  expect(localMoment("2026-07-01T22:30:05.000Z")).toBe(shown);
  expect(localMinute("2026-07-01T22:30:05.000Z")).toBe(shown.slice(0, 16));
});
