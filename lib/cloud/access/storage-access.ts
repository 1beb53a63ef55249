/** What each function may do with the table and the bucket: exact actions, without wildcards. Pure. */

export interface StorageAccess {
  table: readonly string[];
  /** Of the table: the one that it may query. */
  index?: "due" | "owner";
  /** By the first part of their keys. */
  files: Partial<Record<"runs" | "uploads" | "programs", readonly string[]>>;
  /**
   * S3 reports a missing key only to callers that may list everything: a read has no prefix. Those that only delete
   * runs list these alone.
   */
  lists?: "everything" | "runs";
}

const READ = ["dynamodb:GetItem", "dynamodb:Query"];
/** A transaction needs the actions of its items; a function that ends a run settles its lanes under a check of its record. */
const WRITE = ["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:ConditionCheckItem"];
const REMOVE = ["dynamodb:DeleteItem"];

const GET = "s3:GetObject";
const PUT = "s3:PutObject";
const DELETE = "s3:DeleteObject";

export const STORAGE_ACCESS = {
  plan: { table: [...READ, ...WRITE, ...REMOVE], files: { runs: [GET, PUT] }, lists: "everything" },
  // The parts of a split instruction are stored there, batch by batch.
  execute: { table: [...READ, ...WRITE, ...REMOVE], files: { runs: [GET, PUT, DELETE] }, lists: "everything" },
  deliver: { table: [...READ, ...WRITE], files: { runs: [GET, PUT] }, lists: "everything" },
  recordFailure: { table: [...READ, ...WRITE], files: { runs: [PUT] } },
  // Writes the reports of runs that it ends, and finishes deletions.
  sweep: { table: [...READ, ...WRITE, ...REMOVE], index: "due", files: { runs: [PUT, DELETE] }, lists: "runs" },
  notify: {
    table: ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem", ...REMOVE],
    index: "due",
    files: {},
  },
  // It reads events, and notes how far they were sent.
  sendSpans: { table: ["dynamodb:Query", "dynamodb:ConditionCheckItem"], files: {} },
  // Stores tasks, starting files and large answers; deletes runs, and what a duplicate submission has stored.
  api: {
    table: [...READ, ...WRITE, ...REMOVE],
    index: "owner",
    files: { runs: [GET, PUT, DELETE], uploads: [GET, PUT], programs: [GET, PUT, DELETE] },
    lists: "everything",
  },
} as const satisfies Record<string, StorageAccess>;
