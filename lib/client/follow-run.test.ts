import { expect, it } from "vitest";
import type { Event } from "../core/run/event.ts";
import type { EventRange, EventsAnswer } from "./client.ts";
import { followEvents } from "./follow-run.ts";

const notice = (seq: number): Event => ({ type: "notice", text: "It goes on.", seq, at: "2026-01-01T00:00:00.000Z" });

/** Follows an API that answers with these pages, and keeps how long it rested between two questions. */
async function follow(pages: EventsAnswer[], until: "over" | "now" = "over") {
  const rests: number[] = [];
  const asked: EventRange[] = [];
  const shown: number[] = [];
  const client = {
    async events(_id: string, range: EventRange) {
      asked.push(range);
      return pages[asked.length - 1] ?? { events: [], over: true };
    },
  };
  const rest = async (milliseconds: number): Promise<void> => {
    rests.push(milliseconds);
  };
  const show = (events: Event[]) => shown.push(...events.map(({ seq }) => seq));
  await followEvents(client, "01RUN", { after: 0, until, show, rest });
  return { rests, shown, after: asked.map(({ after }) => after) };
}

it("asks an API that holds requests again at once after events, and rests a little after an empty answer", async () => {
  const pages = [
    { events: [notice(1)], over: false },
    { events: [], over: false },
  ];
  expect(await follow(pages)).toEqual({ rests: [250], shown: [1], after: [0, 1, 1] });
});

it("comes again when an API that holds none says so, also after events", async () => {
  const pages = [
    { events: [notice(1), notice(2)], over: false, pollSeconds: 1 },
    { events: [], over: false, pollSeconds: 3 },
    { events: [notice(3)], over: true },
  ];
  expect(await follow(pages)).toEqual({ rests: [1_000, 3_000], shown: [1, 2, 3], after: [0, 2, 2] });
});

it("does not rest where only what is there now is wanted", async () => {
  const pages = [
    { events: [notice(1)], over: false, pollSeconds: 3 },
    { events: [], over: false, pollSeconds: 3 },
  ];
  expect(await follow(pages, "now")).toEqual({ rests: [], shown: [1], after: [0, 1] });
});
