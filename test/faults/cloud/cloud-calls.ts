/** What a request to the played AWS is about, read from its body. Pure. */
import type { AwsCall } from "../../../packages/aws-rehearsal/index.ts";

export const isTransaction = ({ operation }: AwsCall): boolean => operation === "TransactWriteItems";

/** The transaction that makes a turn's effects so. */
export const commitsTurn = (call: AwsCall): boolean => writesTurn(call, "committed");

/** The one before: the model's answer is stored, and is paid for. */
export const notesAnswer = (call: AwsCall): boolean => writesTurn(call, "answered");

const writesTurn = (call: AwsCall, state: string): boolean =>
  isTransaction(call) &&
  itemsOf(call).some(({ Put: { Item } = {} }) => Item?.sk?.S?.startsWith("TURN#") && Item.state?.S === state);

/** The first transaction of an attempt. */
export const claimsRun = (call: AwsCall): boolean =>
  isTransaction(call) && itemsOf(call).some(({ Update }) => Update && setTo(Update, "attempt") !== undefined);

/** The transaction that moves the run on to this epoch. */
export const beginsEpoch =
  (epoch: number) =>
  (call: AwsCall): boolean =>
    isTransaction(call) && itemsOf(call).some(({ Update }) => Update && setTo(Update, "epoch") === String(epoch));

export const storesAnswer = ({ operation, about }: AwsCall): boolean =>
  operation === "PutObject" && about.endsWith(".answer.json");

export const storesOutput = ({ operation, about }: AwsCall): boolean =>
  operation === "PutObject" && about.includes("/output/");

type Values = Record<string, { S?: string; N?: string } | undefined>;

interface UpdateInput {
  UpdateExpression: string;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues: Values;
}

interface TransactItem {
  Put?: { Item?: Values };
  Update?: UpdateInput;
}

const itemsOf = ({ body }: AwsCall): TransactItem[] =>
  (JSON.parse(body) as { TransactItems: TransactItem[] }).TransactItems;

/** `SET #n3 = :v2, …`, where #n3 is called so. */
function setTo({ UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues }: UpdateInput, name: string) {
  const [, sets = ""] = /\bSET (.*?)(?= (?:ADD|REMOVE) |$)/.exec(UpdateExpression) ?? [];
  const [alias] = Object.entries(ExpressionAttributeNames).find(([, called]) => called === name) ?? [];
  const [, value = ""] =
    sets
      .split(", ")
      .map((set) => set.split(" = "))
      .find(([set]) => set === alias) ?? [];
  return ExpressionAttributeValues[value]?.N;
}
