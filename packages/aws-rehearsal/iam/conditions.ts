/** Evaluates the conditions of a statement. Unknown operators and keys are errors. Pure. */
import { matchesArn, matchesPlain } from "./wildcards.ts";

/** Keys in lower case, each with its one value. */
export type Context = Readonly<Record<string, string>>;
export type Condition = Readonly<Record<string, Record<string, unknown>>>;

/** All of them must hold. */
export const holds = (condition: Condition, context: Context): boolean =>
  Object.entries(condition).every(([operator, tests]) => {
    const test = operatorOf(operator);
    return Object.entries(tests).every(([key, values]) => test(valuesOf(values), context[known(key)]));
  });

/** Before anything is asked: a statement that could not be decided must not wait for its request. */
export function assertDecidable(condition: Condition): void {
  for (const [operator, tests] of Object.entries(condition)) {
    operatorOf(operator);
    for (const [key, values] of Object.entries(tests)) {
      known(key);
      valuesOf(values).forEach(assertWithoutVariables);
    }
  }
}

/** Policy variables stand for what the request brings; none is used, and none is guessed. */
export function assertWithoutVariables(text: string): void {
  const variable = /\$\{[^}]*\}/.exec(text)?.[0];
  if (variable) throw new Error(`The policy variable ${variable} is not played.`);
}

/** What a request of the rehearsal can tell, or truly never has. */
const KEYS = new Set([
  ...["aws:securetransport", "aws:sourcearn", "aws:sourceaccount", "aws:principalarn", "aws:principalaccount"],
  ...["aws:principaltype", "aws:requestedregion", "lambda:sourcefunctionarn", "s3:tlsversion"],
  ...["events:source", "events:detail-type", "kms:viaservice", "aws:sourcevpce"],
  ...["kms:signingalgorithm", "kms:messagetype"],
  ...["s3:prefix", "s3:delimiter", "s3:max-keys", "s3:if-none-match"],
]);

function known(key: string): string {
  const name = key.toLowerCase();
  if (!KEYS.has(name)) throw new Error(`The condition key ${key} is not played.`);
  return name;
}

/** `value`: undefined where the request has no such key. */
type Test = (wanted: string[], value: string | undefined) => boolean;

type Compare = (wanted: string, value: string) => boolean;

/** One of the values; without the key, no. */
const any =
  (compare: Compare): Test =>
  (wanted, value) =>
    value !== undefined && wanted.some((each) => compare(each, value));

/** None of the values; without the key, yes. */
const none =
  (compare: Compare): Test =>
  (wanted, value) =>
    value === undefined || !wanted.some((each) => compare(each, value));

const equal: Compare = (wanted, value) => wanted === value;
const equalInAnyCase: Compare = (wanted, value) => wanted.toLowerCase() === value.toLowerCase();

const numeric =
  (compare: (value: number, wanted: number) => boolean): Compare =>
  (wanted, value) => {
    const [one, other] = [Number(value), Number(wanted)];
    if (Number.isNaN(one) || Number.isNaN(other))
      throw new Error(`${value} and ${wanted} cannot be compared as numbers.`);
    return compare(one, other);
  };

const equalNumbers = numeric((value, wanted) => value === wanted);

const OPERATORS: Record<string, Test> = {
  stringequals: any(equal),
  stringnotequals: none(equal),
  stringequalsignorecase: any(equalInAnyCase),
  stringnotequalsignorecase: none(equalInAnyCase),
  stringlike: any(matchesPlain),
  stringnotlike: none(matchesPlain),
  arnequals: any(matchesArn),
  arnlike: any(matchesArn),
  arnnotequals: none(matchesArn),
  arnnotlike: none(matchesArn),
  bool: any(equalInAnyCase),
  numericequals: any(equalNumbers),
  numericnotequals: none(equalNumbers),
  numericlessthan: any(numeric((value, wanted) => value < wanted)),
  numericlessthanequals: any(numeric((value, wanted) => value <= wanted)),
  numericgreaterthan: any(numeric((value, wanted) => value > wanted)),
  numericgreaterthanequals: any(numeric((value, wanted) => value >= wanted)),
  null: (wanted, value) => wanted.some((each) => (each === "true") === (value === undefined)),
};

function operatorOf(operator: string): Test {
  const [, name = "", ifExists] = /^(.*?)(ifexists)?$/.exec(operator.toLowerCase()) ?? [];
  const test = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (!test || (ifExists && name === "null")) throw new Error(`The condition operator ${operator} is not played.`);
  return ifExists ? (wanted, value) => value === undefined || test(wanted, value) : test;
}

const valuesOf = (values: unknown): string[] => [values].flat().map(String);
