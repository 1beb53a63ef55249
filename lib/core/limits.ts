/**
 * Every limit of the machine, with its unit and its reason. The cloud's limits hold on one computer too; where the two
 * evaluators differ all the same is listed in test/evaluator/host-differences.ts.
 */

export const KiB = 1024;
export const MiB = 1024 * KiB;

/** Step Functions ends an execution, uncatchably, whose state is larger. */
export const STATE_BYTES = 256 * KiB;
/** What our own handlers may put into the state: ids only. */
export const HANDLER_ANSWER_BYTES = 1 * KiB;
/** A synchronous Lambda invocation takes and gives no more. */
export const INVOCATION_PAYLOAD_BYTES = 6 * MiB;
/** Below Lambda's 900 s, so that our own deadline speaks first. */
export const INVOCATION_MS = 840_000;
/** Step Functions ends an execution at its 25,000th history event. */
export const HISTORY_EVENTS = 25_000;
/** Then the next epoch begins: about 7,000 events, far below the limit above. */
export const LOOPS_PER_EXECUTION = 1_000;

/** Storing what a run starts from takes no longer: API Gateway gives up after 29 s. */
export const SUBMISSION_MS = 30_000;

/** No model call begins with less time left in the invocation. */
export const CALL_FLOOR_MS = 120_000;
/** Kept free at the end of an invocation for storing what the model said. */
export const INVOCATION_RESERVE_MS = 30_000;
/** Below this an answer is too short to hold a useful tool call. */
export const OUTPUT_FLOOR_TOKENS = 1_024;
/** The first output limit: most answers are far shorter, and the whole limit is reserved before a call. */
export const FIRST_OUTPUT_TOKENS = 16_384;
/** One evaluation, with its installs and tests, unless a run says otherwise; below what an invocation keeps for a call. */
export const EVALUATION_MS = 180_000;
/** What a run may say: an evaluation and the storing of its verdict must fit into one invocation. */
export const LONGEST_EVALUATION_MS = 720_000;
/** With less time left a check would say nothing about the code. */
export const EVALUATION_FLOOR_MS = 10_000;
/** The evaluator's own invocation: beyond an evaluation's time, room for laying out the tree and for answering. */
export const EVALUATOR_INVOCATION_MS = 750_000;
/** Who waits for it waits longer, so that the evaluator's own time-out speaks first. */
export const EVALUATOR_ANSWER_MS = 765_000;
/** Without an answer of the evaluator in between: as long as it may be throttled, asleep or broken. */
export const EVALUATOR_PATIENCE_MS = 6 * 3_600_000;
/** What a model server may ask for: a quota's window is a day at most. */
export const LONGEST_WAIT_MS = 24 * 3_600_000;
/** Waits up to this long are slept; longer ones are Wait states. */
export const SHORT_WAIT_MS = 5_000;

/** One registry transaction holds 100 items; the rest are the run, the turn, the instruction and events. */
export const PATHS_PER_TURN = 80;
export const EVENTS_PER_TURN = 12;
/** So much of the evidence that a turn gathers, which is committed with it. */
export const PROOFS_PER_TURN = 10;
/** DynamoDB refuses more, on every one of these; so does every other table. */
export const TRANSACTION_WRITES = 100;
export const TRANSACTION_BYTES = 4 * MiB;
export const ITEM_BYTES = 400 * KiB;
export const PARTITION_KEY_BYTES = 2 * KiB;
export const SORT_KEY_BYTES = 1 * KiB;
/** DynamoDB takes 100 items in a transaction; a batch leaves room for the fence. */
export const ITEMS_PER_BATCH = 90;

/** Files that a command wrote and that are taken over. They travel and are stored in its verdict. */
export const KEPT_FILES = 40;
export const KEPT_BYTES = 512 * KiB;

export const PATH_BYTES = 512;
export const PATH_SEGMENT_BYTES = 200;
/** A tree is put together in the memory of a function, which holds its zip twice; unpacked it lies on the evaluator's disk. */
export const TREE_PACKED_BYTES = 100 * MiB;
export const TREE_BYTES = 400 * MiB;
export const TREE_FILES = 50_000;
/** The paths of a whole commit, of which a run may be shown a part: read into memory for a push. */
export const OUTLINE_BYTES = 64 * MiB;
/** A zip that somebody else's program made, with a directory larger than ours. */
export const ZIP_BYTES = 112 * MiB;

/** Of so many packs one is of the whole tree; the others have what a step changed. */
export const PACKS_PER_WHOLE = 50;
/** Of whole packs that an earlier version wrote at each step, so many of the latest stay besides those. */
export const PACKS_KEPT = 20;
/** An instruction's text lives in one registry item (400 KB at most). */
export const INSTRUCTION_BYTES = 100 * KiB;
/** A requirement is an item too, and the planning model reads all of them. */
export const REQUIREMENT_BYTES = 16 * KiB;
export const REQUIREMENT_ID_CHARS = 100;
/** The hand-over is stored with the text in the instruction's item, and opens the next conversation. */
export const SUMMARY_CHARS = 8_000;
export const TASK_BYTES = 1 * MiB;
/** Lanes of one run. */
export const LANES = 16;
export const PROGRAM_INSTRUCTIONS = 10_000;
/** Conditions that a program may have found out, in the worst case. */
export const PROGRAM_CHECKS = 50_000;

/** Turns of one instruction before it counts as stuck. */
export const TURNS_PER_INSTRUCTION = 40;
export const PLANNING_TURNS = 12;
/** Turns in which a model can split an instruction that is stuck, and into how many. */
export const SPLITTING_TURNS = 2;
export const SPLIT_PARTS = 4;
/** The same turn so often is a loop. */
export const LOOP_REPEATS = 3;
/** Calls that time out, each with half the output limit, before the instruction stops. */
export const TIMEOUTS_PER_INSTRUCTION = 3;
/** So many entries of the directory are read for a listing, so that a conversation costs the same in every tree. */
export const FILES_LISTED = 2_000;
/** What the listing of files may take of a conversation. */
export const LISTING_TOKENS = 2_000;
/** From this many input tokens on, what a request shows in vain is dropped although it fits. */
export const COSTLY_TOKENS = 100_000;
/** A hint is a sentence. It lies in the run's record, which every commit writes. */
export const HINT_CHARS = 500;
/** What a person says of a program; it lies there while the program is revised. */
export const FEEDBACK_CHARS = 2_000;
/** A person's answer to a question. It is a file of the run, and its text lies in the journal. */
export const ANSWER_BYTES = 100 * KiB;
/** What the outline of the program may take of a conversation. */
export const OUTLINE_TOKENS = 1_000;
/** What the notes that the project keeps may take of a conversation. */
export const NOTES_TOKENS = 1_500;
/** What the changes of a step that a lane did in vain may take. */
export const DROPPED_TOKENS = 6_000;
/** What the map of an existing repository may take of a planner's conversation. */
export const MAP_TOKENS = 6_000;

export const DEFAULT_BUDGET_USD = 5;

/** A run whose program may cost more waits for approval first, unless another limit is set. */
export const DEFAULT_ASK_ABOVE_USD = 100;
