/** The clocks of the program and of its tests keep the contract. */
import { expect, test } from "vitest";
import { systemClock } from "../../lib/host/system-clock.ts";
import { fakeClock } from "../doubles/fake-clock.ts";
import { hastyClock } from "../doubles/hasty-clock.ts";
import { describeClock } from "./clock.contract.ts";

describeClock("The system's time", () => systemClock);
describeClock("The fake clock", () => fakeClock());
describeClock("The clock that skips naps", () => hastyClock, { skipsNaps: true });

test("a sleep on the system's time ends when it is aborted", async () => {
  const controller = new AbortController();
  const reason = new Error("stopped");
  const slept = systemClock.sleep(60_000, controller.signal);
  controller.abort(reason);
  await expect(slept).rejects.toBe(reason);
});
