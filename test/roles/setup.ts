/** Handlers, sweeper and notifier of the tests work in the roles that their functions have on AWS. */
import { afterEach, expect, vi } from "vitest";
import { allInRole, inRole, takeRefused } from "./roles.ts";

vi.mock("../../lambdas/handlers.ts", async (load) => {
  const { createHandlers } = await load<typeof import("../../lambdas/handlers.ts")>();
  return { createHandlers: (...given: Parameters<typeof createHandlers>) => allInRole(createHandlers(...given)) };
});
vi.mock("../../lambdas/sweep.ts", async (load) => {
  const { createSweep } = await load<typeof import("../../lambdas/sweep.ts")>();
  return { createSweep: (...given: Parameters<typeof createSweep>) => inRole("sweep", createSweep(...given)) };
});
vi.mock("../../lambdas/notify.ts", async (load) => {
  const { createNotify } = await load<typeof import("../../lambdas/notify.ts")>();
  return { createNotify: (...given: Parameters<typeof createNotify>) => inRole("notify", createNotify(...given)) };
});

afterEach(() => {
  expect(takeRefused(), "calls beyond the permissions of a role").toEqual([]);
});
