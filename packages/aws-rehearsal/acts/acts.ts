/** The acts, in the order they are played. */
import type { Act } from "./act.ts";
import { approved, rejected } from "./approval.ts";
import { cancelled, resumed, submittedTwice } from "./change-of-mind.ts";
import { DAILY_USD, usedUpDay } from "./daily.ts";
import { damagedBeforeDelivery, damagedBeforeExecute, damagedBeforePlan } from "./damage.ts";
import { deleted } from "./deletion.ts";
import { forked, made } from "./derived.ts";
import { laned } from "./lanes.ts";
import { largeTree } from "./large-tree.ts";
import { ceiling, rolledOver, tooLarge } from "./limits.ts";
import { looped } from "./loops.ts";
import { keyUsed } from "./model-key.ts";
import { named } from "./named-programs.ts";
import { putOnBus, toldOfEnd, traced, undelivered } from "./notification.ts";
import { ownRuns } from "./own-runs.ts";
import { proven } from "./proof.ts";
import { asked } from "./questions.ts";
import { removed, removedLate } from "./removal.ts";
import { extended, recorded, recordedLate, startedLate } from "./repair.ts";
import { fetchedAndPushed } from "./repository.ts";
import { settledLanes } from "./settled-lanes.ts";
import { signed } from "./signature.ts";
import { splitInHalf } from "./split.ts";
import { uploaded } from "./uploads.ts";

/** On a stack whose configuration names a model, and whose executions are short. */
export const ACTS: Act[] = [
  keyUsed,
  ownRuns,
  approved,
  rejected,
  cancelled,
  resumed,
  submittedTwice,
  uploaded,
  largeTree,
  fetchedAndPushed,
  signed,
  looped,
  splitInHalf,
  ...laned,
  ...settledLanes,
  asked,
  forked,
  made,
  named,
  rolledOver,
  ceiling,
  usedUpDay,
  toldOfEnd,
  putOnBus,
  traced,
  undelivered,
  tooLarge,
  recorded,
  recordedLate,
  startedLate,
  extended,
  proven,
  damagedBeforePlan,
  damagedBeforeExecute,
  damagedBeforeDelivery,
  deleted,
  removed,
  removedLate,
];

export const CONFIG = { loopLimit: 3, dailyUsd: DAILY_USD, signing: { kms: true } };
