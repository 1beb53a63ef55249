/** What is done to a run that a process computes, or did so a moment ago. */
import { expect, it } from "vitest";
import { fakeClock } from "../../test/doubles/fake-clock.ts";
import { onceFree } from "./change-run.ts";

it("is done as soon as the process that ended the run lets go of it, and refused where it does not", async () => {
  const answers: string[] = ["busy", "busy", "deleted"];
  const attempt = async () => answers.shift() ?? "busy";
  await expect(onceFree(fakeClock(), "RUN", attempt)).resolves.toBe("deleted");
  await expect(onceFree(fakeClock(), "RUN", attempt)).rejects.toThrow("Run RUN is being computed by another process.");
});
