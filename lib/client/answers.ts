/** The API's answers as this computer trusts them: ids, names and times are what they say before anybody shows them. */
import * as z from "zod";
import {
  EventPage as EventPageAnswer,
  FilePage,
  JournalEntry,
  MakePlanAnswer,
  OutputLink,
  ProgramAnswer,
  RunAccepted,
  RunPage,
  RunRemoval,
  RunStatusView,
  RunSubmitted,
  RunView,
  SigningKeyAnswer,
  TurnPage as TurnPageAnswer,
} from "../api/answers.ts";
import type { Event } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import { isRunName } from "../core/run/slug.ts";
import { isUlid } from "../core/run/ulid.ts";
import { FileEntry, TurnRecord } from "../core/turn/turn.ts";

export { FilePage, MakePlanAnswer, OutputLink, SigningKeyAnswer };

const id = z.string().refine(isUlid, "It is no run's id.");
const time = z.iso.datetime();

/** A name becomes a part of paths. */
const trusted = { id, name: z.string().refine(isRunName, "It is no run's name."), createdAt: time };
/** Where to go from it this computer knows itself. */
const OwnRun = RunView.omit({ links: true })
  .extend(trusted)
  .transform((run): Run => run);

export { OwnRun as Run };

export const DayAnswer = RunStatusView.pick({ day: true });
export const LanesAnswer = RunStatusView.pick({ lanes: true });
export const Accepted = RunAccepted.omit({ links: true }).extend({ id });
export const Submitted = RunSubmitted.omit({ links: true }).extend({ id });
export const Removed = RunRemoval.extend({ id });
export const Runs = RunPage.extend({ runs: z.array(OwnRun), unreadable: z.array(id).optional() });

export const EventPage = EventPageAnswer.transform(({ events, ...page }, context) => {
  for (const event of events as Event[]) {
    if (!time.safeParse(event.at).success) context.addIssue({ code: "custom", message: "A time of an event is none." });
  }
  return { ...page, events: events as Event[] };
});

export const TurnPage = TurnPageAnswer.extend({ turns: z.array(TurnRecord.extend({ at: time })) });

export const Program = ProgramAnswer;
export type Program = z.infer<typeof Program>;

export { JournalEntry as Entry };
export type Entry = z.infer<typeof JournalEntry>;

/** The current files, with all that the registry has of them. */
export const WholeFiles = FilePage.extend({ files: z.array(FileEntry) });

/** `headers`: what the link was signed for. */
export const UploadLink = z.object({
  id,
  url: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
});
