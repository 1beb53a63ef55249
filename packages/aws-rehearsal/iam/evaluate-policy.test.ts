/** Policy evaluation as IAM does it; unknown elements are errors. */
import { describe, expect, it } from "vitest";
import type { PolicyStatement } from "../parts.ts";
import { assertStatement, evaluate } from "./evaluate-policy.ts";
import { matchesArn, matchesResource } from "./wildcards.ts";

const TABLE = "arn:aws:dynamodb:eu-central-1:1:table/registry";
const allow = (given: Partial<PolicyStatement> = {}): PolicyStatement => ({
  Effect: "Allow",
  Action: "dynamodb:GetItem",
  Resource: TABLE,
  ...given,
});
const owned = (...statements: PolicyStatement[]) =>
  statements.map((statement, index) => ({ ...statement, owner: "Role", index }));
const get = { action: "dynamodb:GetItem", resource: TABLE };
const effect = (statements: PolicyStatement[], ask = get, context: Record<string, string> = {}) =>
  evaluate(owned(...statements), ask, context).effect;

describe("a request is allowed", () => {
  it("by the first matching statement, reported with the action as written", () => {
    const statements = owned(allow({ Action: "s3:*" }), allow({ Action: ["dynamodb:Query", "dynamodb:Get*"] }));
    expect(evaluate(statements, get, {})).toEqual({
      effect: "Allow",
      by: { owner: "Role", statement: 1, action: "dynamodb:Get*" },
    });
  });

  it.each(["dynamodb:getitem", "DynamoDB:Get?tem", "dynamodb:*", "*"])("by %s, in whatever case", (Action) => {
    expect(effect([allow({ Action })])).toBe("Allow");
  });

  it("by what is left open: all but some actions, all but some resources", () => {
    expect(effect([{ Effect: "Allow", NotAction: "iam:*", Resource: "*" }])).toBe("Allow");
    expect(effect([{ Effect: "Allow", NotAction: "dynamodb:Get*", Resource: "*" }])).toBe("none");
    expect(effect([{ Effect: "Allow", Action: "*", NotResource: `${TABLE}/index/*` }])).toBe("Allow");
    expect(effect([{ Effect: "Allow", Action: "*", NotResource: TABLE }])).toBe("none");
  });
});

describe("a request is not allowed", () => {
  it("where nothing speaks of it", () => {
    expect(effect([])).toBe("none");
    expect(effect([allow({ Action: "dynamodb:GetItems" })])).toBe("none");
    expect(effect([allow({ Resource: TABLE.toUpperCase() })])).toBe("none");
    expect(effect([allow({ Resource: `${TABLE}/index/*` })])).toBe("none");
  });

  it("if a denial matches, at any position", () => {
    const denial: PolicyStatement = { Effect: "Deny", NotAction: ["logs:PutLogEvents"], Resource: "*" };
    for (const statements of [
      [allow(), denial],
      [denial, allow()],
    ])
      expect(effect(statements)).toBe("Deny");
    expect(
      effect([denial, allow({ Action: "logs:*", Resource: "*" })], { action: "logs:PutLogEvents", resource: "x" }),
    ).toBe("Allow");
  });
});

describe("a pattern", () => {
  it.each([
    ["arn:aws:s3:::files/runs/*", "arn:aws:s3:::files/runs/1/a:b", true],
    ["arn:aws:s3:::files/runs/*", "arn:aws:s3:::files/uploads/1", false],
    ["arn:aws:s3:::files", "arn:aws:s3:::files/runs", false],
    ["arn:aws:states:eu-central-1:1:execution:unit:*", "arn:aws:states:eu-central-1:1:execution:unit:RUN-1", true],
    ["arn:aws:states:*:1:execution:unit:*", "arn:aws:states:eu-central-1:1:execution:unit:RUN-1", true],
    ["arn:aws:lambda:eu-central-1:1:function:a*b", "arn:aws:lambda:eu-central-1:1:function:axb", true],
    ["arn:aws:lambda:eu-central-1:1:function:a*b", "arn:aws:lambda:eu-central-1:1:function:a:b", false],
    ["arn:aws:s3:::files/runs/?", "arn:aws:s3:::files/runs/12", false],
    ["arn:aws:s3:::fi.es/*", "arn:aws:s3:::files/1", false],
    ["*", "anything:at/all", true],
  ])("%s on %s: %s", (pattern, arn, matches) => {
    expect(matchesResource(pattern, arn)).toBe(matches);
  });

  it("of an ARN is held segment by segment", () => {
    const rule = "arn:aws:events:eu-central-1:1:rule/sweep";
    expect(matchesArn("arn:*:events:*:1:rule/*", rule)).toBe(true);
    expect(matchesArn("arn:aws:*:rule/sweep:x:y", rule)).toBe(false);
    expect(matchesArn("arn:aws:execute-api:r:1:api/v1/*/*", "arn:aws:execute-api:r:1:api/v1/GET/a:b")).toBe(true);
    expect(matchesArn(rule, "no arn")).toBe(false);
    expect(() => matchesArn("*", rule)).toThrow("* is no ARN");
  });
});

describe("a condition", () => {
  const under = (Condition: PolicyStatement["Condition"], context: Record<string, string>) =>
    effect([{ ...allow(), ...(Condition ? { Condition } : {}) }], get, context) === "Allow";

  it.each([
    ["StringEquals", "aws:SourceAccount", "1", { "aws:sourceaccount": "1" }, true],
    ["StringEquals", "aws:SourceAccount", ["2", "1"], { "aws:sourceaccount": "1" }, true],
    ["StringEquals", "aws:SourceAccount", "1", {}, false],
    ["StringNotEquals", "aws:SourceAccount", "1", { "aws:sourceaccount": "1" }, false],
    ["StringNotEquals", "aws:SourceAccount", ["1", "2"], { "aws:sourceaccount": "3" }, true],
    ["StringNotEquals", "aws:SourceAccount", "1", {}, true],
    ["StringEqualsIfExists", "aws:SourceAccount", "1", {}, true],
    ["StringEqualsIfExists", "aws:SourceAccount", "1", { "aws:sourceaccount": "2" }, false],
    ["StringLike", "s3:prefix", "runs/*", { "s3:prefix": "runs/1/a:b" }, true],
    ["StringLike", "s3:prefix", "runs/*", { "s3:prefix": "uploads/" }, false],
    ["ArnLike", "aws:SourceArn", "arn:aws:events:*:1:rule/*", { "aws:sourcearn": "arn:aws:events:r:1:rule/x" }, true],
    [
      "ArnEquals",
      "aws:SourceArn",
      "arn:aws:events:r:1:rule/x",
      { "aws:sourcearn": "arn:aws:events:r:1:rule/y" },
      false,
    ],
    ["ArnLike", "lambda:SourceFunctionArn", "arn:aws:lambda:r:1:function:*", {}, false],
    ["Bool", "aws:SecureTransport", "false", { "aws:securetransport": "true" }, false],
    ["Bool", "aws:SecureTransport", false, { "aws:securetransport": "false" }, true],
    ["Bool", "aws:SecureTransport", "false", {}, false],
    ["NumericLessThan", "s3:TlsVersion", 1.2, { "s3:tlsversion": "1.1" }, true],
    ["NumericLessThan", "s3:TlsVersion", 1.2, { "s3:tlsversion": "1.2" }, false],
    ["NumericLessThan", "s3:TlsVersion", 1.2, {}, false],
    ["NumericLessThanEquals", "s3:max-keys", "10", { "s3:max-keys": "10" }, true],
    ["Null", "s3:prefix", "true", {}, true],
    ["Null", "s3:prefix", "true", { "s3:prefix": "" }, false],
    ["Null", "s3:prefix", "false", { "s3:prefix": "" }, true],
  ])("%s of %s against %j with %j: %s", (operator, key, values, context: Record<string, string>, allowed) => {
    expect(under({ [operator]: { [key]: values } }, context)).toBe(allowed);
  });

  it("holds where all of them do", () => {
    const both = { StringEquals: { "aws:SourceAccount": "1" }, ArnLike: { "aws:SourceArn": "arn:aws:s3:::files" } };
    expect(under(both, { "aws:sourceaccount": "1", "aws:sourcearn": "arn:aws:s3:::files" })).toBe(true);
    expect(under(both, { "aws:sourceaccount": "1", "aws:sourcearn": "arn:aws:s3:::other" })).toBe(false);
  });
});

describe("a statement that could not be decided is refused before anything is asked, by name", () => {
  const variable = ["$", "{aws:username}"].join("");
  it.each([
    [
      "an operator",
      { Condition: { DateLessThan: { "aws:SourceArn": "x" } } },
      "The condition operator DateLessThan is not played",
    ],
    [
      "an operator that every object has",
      { Condition: { Constructor: { "aws:SourceArn": "x" } } },
      "The condition operator Constructor is not played",
    ],
    [
      "an operator on many",
      { Condition: { "ForAllValues:StringLike": { "s3:prefix": "x" } } },
      "The condition operator ForAllValues:StringLike is not played",
    ],
    [
      "a key",
      { Condition: { StringEquals: { "aws:UserAgent": "x" } } },
      "The condition key aws:UserAgent is not played",
    ],
    [
      "a variable in a resource",
      { Resource: `arn:aws:s3:::home/${variable}` },
      `The policy variable ${variable} is not played`,
    ],
    [
      "a variable in a condition",
      { Condition: { StringLike: { "s3:prefix": variable } } },
      `The policy variable ${variable} is not played`,
    ],
    ["an effect", { Effect: "Perhaps" as "Allow" }, "its effect is Perhaps"],
    ["two kinds of actions", { NotAction: "s3:*" }, "it needs either Action or NotAction"],
  ])("%s", (_, given, message) => {
    const [statement] = owned(allow(given));
    if (!statement) throw new Error("there is no statement");
    expect(() => assertStatement(statement)).toThrow(`Statement 0 of Role: ${message}`);
  });
});
