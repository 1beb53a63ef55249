/** What DynamoDB and S3 answer when they are busy, broken, or out of reach: before the request took effect, and after. */
import type { AwsCall, CallTrouble } from "../../../packages/aws-rehearsal/index.ts";
import { commitsTurn, isTransaction, notesAnswer, storesAnswer } from "./cloud-calls.ts";
import { befalling, type CloudFault, EXECUTE, type Playing } from "./fault.ts";

const refusal = (status: number, code: string, message = code): CallTrouble => ({
  takesEffect: false,
  answer: { status, code, message },
});

const THROTTLED = refusal(
  400,
  "ProvisionedThroughputExceededException",
  "The level of configured provisioned throughput for the table was exceeded.",
);
const THROTTLING = refusal(400, "ThrottlingException", "Rate of requests exceeds the allowed throughput.");
const IN_PROGRESS = refusal(
  400,
  "TransactionInProgressException",
  "The transaction with the given request token is already in progress.",
);
const SLOW_DOWN = refusal(503, "SlowDown", "Please reduce your request rate.");
const BROKEN = refusal(500, "InternalServerError", "The request processing has failed.");

/** What DynamoDB says of each item of a transaction that met another one. */
const CONFLICT: CallTrouble = {
  takesEffect: false,
  answer: {
    status: 400,
    headers: { "content-type": "application/x-amz-json-1.0" },
    body: Buffer.from(
      JSON.stringify({
        __type: "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        Message: "Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict]",
        CancellationReasons: [{ Code: "TransactionConflict", Message: "Transaction is ongoing for the item" }],
      }),
    ),
  },
};

const lost = (trouble: CallTrouble): CallTrouble => ({ ...trouble, takesEffect: true });
const CLOSED: CallTrouble = { takesEffect: true, answer: "closed" };

/** Each befalls calls of Execute: from the `after`-th on, so many of them. */
interface Storm {
  fault: string;
  at: (call: AwsCall) => boolean;
  troubles: CallTrouble[];
  after: number;
  times: number;
  /** The function gives up in the end, and with it perhaps an answer that is not noted yet. */
  isTooLong?: true;
  isExtra?: true;
}

const isTable = ({ service }: AwsCall): boolean => service === "dynamodb";
const isBucket = ({ service }: AwsCall): boolean => service === "s3";
/** Of what is written once: the second time it is there already. */
const isWrittenOnce = ({ operation, about }: AwsCall): boolean =>
  operation === "PutObject" && /\/(blobs|packs)\//.test(about);

const STORMS: Storm[] = [
  { fault: "DynamoDB throttles for a while", at: isTable, troubles: [THROTTLED, THROTTLING], after: 8, times: 3 },
  {
    fault: "DynamoDB throttles for longer than a function has patience",
    ...{ at: isTable, troubles: [THROTTLED], after: 8, times: 12, isTooLong: true, isExtra: true },
  },
  { fault: "Transactions conflict", at: isTransaction, troubles: [CONFLICT, IN_PROGRESS], after: 3, times: 3 },
  {
    fault: "DynamoDB's answers are lost when transactions took effect",
    ...{ at: commitsTurn, troubles: [CLOSED, lost(BROKEN)], after: 1, times: 1 },
  },
  {
    fault: "DynamoDB's answers to a model's answer being noted are lost",
    ...{ at: notesAnswer, troubles: [CLOSED, lost(BROKEN)], after: 1, times: 2, isExtra: true },
  },
  { fault: "S3 answers 503 for a while", at: isBucket, troubles: [SLOW_DOWN], after: 4, times: 2, isExtra: true },
  {
    fault: "S3 answers 503 when writes took effect",
    ...{ at: isWrittenOnce, troubles: [lost(SLOW_DOWN)], after: 1, times: 2 },
  },
  {
    fault: "S3 answers 503 for longer than a function has patience",
    ...{ at: storesAnswer, troubles: [SLOW_DOWN], after: 1, times: 4, isTooLong: true, isExtra: true },
  },
];

export const REFUSALS: CloudFault[] = STORMS.map(({ fault, isTooLong, isExtra, ...storm }) => ({
  fault,
  lost: isTooLong ? 1 : 0,
  ...(isExtra ? { isExtra } : {}),
  async play(on) {
    const before = on.failed(EXECUTE);
    const played = await befalling(
      (raged) => raging(raged, storm),
      (times) => `${times} calls`,
    )(on);
    const gaveUp = on.failed(EXECUTE) - before;
    const shown = `${played.shown}, ${gaveUp > 0 ? "and the function gave up" : "and asked again"}`;
    const problems = gaveUp > 0 && !isTooLong ? [`the function gave up ${gaveUp} times`] : [];
    return { ...played, shown, problems };
  },
}));

function raging({ stage }: Playing, { at, troubles, after, times }: Omit<Storm, "fault">) {
  const planned = troubles.map((trouble) =>
    stage.disturbed.calls.plan({ meets: (call) => EXECUTE.test(call.who) && at(call), trouble, after, times }),
  );
  return { happened: () => planned.reduce((sum, { happened }) => sum + happened(), 0) };
}
