import { expect, it } from "vitest";
import { requestFor } from "./next-request.ts";

it.each([
  [
    { command: "list", args: [] },
    { method: "GET", path: "/runs" },
  ],
  [
    { command: "watch", args: ["01A"] },
    { method: "GET", path: "/runs/01A/events" },
  ],
  [
    { command: "resume", args: ["01A"] },
    { method: "POST", path: "/runs/01A/resume" },
  ],
  [
    { command: "resume", args: ["01A", "--max-turns", "20", "--budget", "7.5"] },
    { method: "POST", path: "/runs/01A/resume", body: { budget: { turns: 20, usd: 7.5 } } },
  ],
  [
    { command: "approve", args: ["01A"] },
    { method: "POST", path: "/runs/01A/approve", body: { decision: "approve" } },
  ],
])("the command %j is the request %j", (command, request) => {
  expect(requestFor(command)).toEqual(request);
});

it("there is no request for a command of this computer, nor without the id of a run", () => {
  expect(requestFor({ command: "doctor", args: [] })).toBeUndefined();
  expect(requestFor({ command: "resume", args: [] })).toBeUndefined();
});
