/** What each check finds, from the answers of AWS. */
import { describe, expect, it } from "vitest";
import type { Event } from "../core/run/event.ts";
import { remedyText } from "../core/text/command-line.ts";
import { apiAuthFinding } from "./api-auth-check.ts";
import { parsePlatforms } from "./docker.ts";
import type { Finding } from "./finding.ts";
import { readKey } from "./model-key.ts";
import { bootstrapFinding, imageFindings } from "./preflight-findings.ts";
import { outputFinding, runFindings } from "./run-findings.ts";
import type { FunctionFacts } from "./stack.ts";
import { concurrencyFinding, evaluatorFinding, stackFinding } from "./stack-findings.ts";
import type { DeploymentConfig, EvaluatorConfig } from "./target.ts";

const config: DeploymentConfig = {
  stackName: "L2mac",
  keepData: true,
  reservedConcurrency: {},
  evaluator: { vpc: true, noDns: true, denyRole: true, tenants: true },
};
const caller = { account: "123456789012", arn: "arn:aws:iam::123456789012:user/me", region: "eu-west-1" };
const IMAGE = "123456789012.dkr.ecr.eu-west-1.amazonaws.com/l2mac:1";

const adviceIn = ({ next = [] }: Finding): string => next.map((each) => remedyText(each, "l2mac")).join("\n");

describe("the bootstrap", () => {
  it.each([
    [21, "ok"],
    [6, "ok"],
    [5, "missing"],
    [undefined, "missing"],
  ])("of version %s is %s if 6 is required", (version, state) => {
    expect(bootstrapFinding({ value: version }, caller).state).toBe(state);
  });
});

describe("the evaluator's image", () => {
  const found = (docker: Parameters<typeof imageFindings>[0]["docker"], own: Partial<EvaluatorConfig> = {}) =>
    imageFindings({ evaluator: { ...config.evaluator, ...own }, docker, caller })[0];

  it("is built if Docker builds for its architecture, natively or by emulation", () => {
    expect(found({ here: "x86_64", builds: ["x86_64"] })).toMatchObject({ state: "ok" });
    expect(found({ here: "x86_64", builds: ["x86_64", "arm64"] }, { architecture: "arm64" })).toMatchObject({
      state: "ok",
    });
  });

  it("is reported with a note if Docker cannot run it", () => {
    const finding = found({ here: "x86_64", builds: ["x86_64"] }, { architecture: "arm64" });
    expect(finding?.state).toBe("note");
    expect(finding?.says).toMatch(/exec format error[\s\S]*binfmt/);
  });

  it("is built in the account if Docker is missing, or if that is configured", () => {
    const missing = { here: "x86_64" as const, missing: "does not answer" };
    expect(found(missing)).toMatchObject({
      state: "ok",
      says: expect.stringMatching(/^Docker does not answer, so Code/),
    });
    const required = found(missing, { build: "docker" });
    expect(required).toMatchObject({ what: "docker", state: "missing" });
    expect(required?.says).toContain("docs/deploy.md#on-another-computer");
    const chosen = found({ here: "x86_64", builds: ["x86_64"] }, { build: "codebuild", architecture: "arm64" });
    expect(chosen).toMatchObject({
      what: "image",
      state: "ok",
      says: expect.stringMatching(/^CodeBuild .* for arm64/),
    });
  });

  it("needs no Docker if one is configured with its architecture, in the same account and region", () => {
    expect(found(undefined, { image: IMAGE, architecture: "arm64" })).toMatchObject({ state: "ok" });
    expect(found(undefined, { image: IMAGE.replace("1234", "9999"), architecture: "arm64" })?.says).toMatch(
      /lambda\.amazonaws\.com/,
    );
  });

  it("is built for the platforms that the builder lists", () => {
    expect(parsePlatforms("Name: default\nPlatforms: linux/amd64*, linux/arm64, linux/386\n")).toEqual([
      "x86_64",
      "arm64",
    ]);
    expect(parsePlatforms("")).toEqual([]);
  });
});

describe("the stack", () => {
  const outputs = { ApiUrl: "https://a/v1/" };
  it.each([
    ["CREATE_COMPLETE", "ok"],
    ["UPDATE_ROLLBACK_COMPLETE", "note"],
    ["UPDATE_IN_PROGRESS", "note"],
    ["REVIEW_IN_PROGRESS", "missing"],
    ["ROLLBACK_COMPLETE", "missing"],
    ["DELETE_FAILED", "missing"],
  ])("%s is %s", (status, state) => {
    expect(stackFinding("L2mac", { value: { status, reason: "", outputs } }).state).toBe(state);
  });

  it("that failed gets the switch as advice", () => {
    const value = { status: "ROLLBACK_COMPLETE", reason: "TenancyConfig is not supported", outputs: {} };
    expect(adviceIn(stackFinding("L2mac", { value }))).toContain('"tenants": false');
  });
});

describe("the concurrency quota", () => {
  it.each([
    [1_000, 50, "ok"],
    [1_000, 950, "missing"],
    [10, 2, "missing"],
    [10, 0, "note"],
    [50, 0, "ok"],
  ])("of %i, with %i reserved, is %s", (whole, execute, state) => {
    const own = { ...config, reservedConcurrency: execute > 0 ? { execute } : {} };
    expect(concurrencyFinding(own, { value: { whole, unreserved: whole } }).state).toBe(state);
  });

  it("says how many runs a small one computes at a time", () => {
    const { says } = concurrencyFinding(config, { value: { whole: 10, unreserved: 10 } });
    expect(says).toMatch(/^10 concurrent executions, .* enough for about 6 runs at a time\nRequest a higher/);
  });

  it("counts the reservations of other functions", () => {
    const own = { ...config, reservedConcurrency: { execute: 150 } };
    const { state, says } = concurrencyFinding(own, { value: { whole: 1_000, unreserved: 200 } });
    expect(state).toBe("note");
    expect(says).toContain("enough only if this stack already reserves them");
  });
});

describe("the evaluator's function", () => {
  const ready: FunctionFacts = {
    ...{ state: "Active", reasonCode: "", reason: "", lastUpdate: "Successful", lastUpdateReason: "" },
    ...{ architecture: "arm64", inVpc: true, perTenant: true },
  };
  it.each([
    [{}, "ok", /ready: arm64/],
    [{ state: "Pending" }, "note", /wait/],
    [{ state: "Inactive" }, "note", /the next run restores them/],
    [{ inVpc: false }, "note", /"evaluator\.vpc"[\s\S]*l2mac deploy/],
    [{ state: "Failed", reasonCode: "EniLimitExceeded", reason: "too many" }, "missing", /"vpc": false/],
    [
      { lastUpdate: "Failed", lastUpdateReason: "InvalidImage the media type is not supported" },
      "missing",
      /--provenance=false/,
    ],
  ])("%j is %s", (facts, state, says) => {
    const finding = evaluatorFinding(config.evaluator, { value: { ...ready, ...facts } });
    expect(finding.state).toBe(state);
    expect(`${finding.says}\n${adviceIn(finding)}`).toMatch(says);
  });
});

describe("a rehearsal", () => {
  const at = { seq: 1, at: "2026-11-21T12:00:00.000Z" };
  const verdict: Event = {
    ...{ ...at, type: "verdict" as const, instruction: 1, turn: 1, syntax: "passed", tests: "passed" },
    ...{ passed: 7, failed: 0, errors: 0, gate: "accepted" as const, detail: "" },
  };

  it("that completes with passing tests proves the API, the control unit and the evaluator, and names its switches", () => {
    const found = runFindings({ run: { id: "R", status: "completed" }, events: [verdict], overdue: false, config });
    expect(found.map(({ state }) => state)).toEqual(["ok", "ok"]);
    expect(found[1]?.says).toContain("7 passed (tenants, noDns, denyRole, vpc on)");
  });

  it("that completes unchecked does not prove the evaluator", () => {
    const run = { id: "R", status: "completed", reason: "unchecked" } as const;
    expect(runFindings({ run, events: [], overdue: false, config })[1]?.state).toBe("missing");
  });

  it("that waits for the evaluator names the switches, one by one", () => {
    const waiting = { ...at, type: "waiting", why: "The evaluator is not ready (ENILimitReachedException)." } as const;
    const found = runFindings({ run: { id: "R", status: "running" }, events: [waiting], overdue: true, config });
    expect(found[0]?.next).toContainEqual(expect.objectContaining({ command: "watch", args: ["R", "--remote"] }));
    expect(found[1]?.next).toContainEqual(expect.stringContaining('"vpc": false'));
  });

  it("whose files cannot be fetched is not ok", () => {
    expect(outputFinding("R", { problem: "HTTP 403" })).toMatchObject({ state: "missing" });
    expect(outputFinding("R", { files: 9 })).toMatchObject({ state: "ok" });
  });
});

describe("an unsigned request", () => {
  const type = "application/problem+json";
  it.each([
    [403, type, '{"requestId":"r-1"}', "ok"],
    [403, "application/json", '{"message":"Forbidden"}', "note"],
    [200, "application/json", '{"runs":[]}', "missing"],
  ])("answered with %i as %s %s is %s", (status, given, body, state) => {
    expect(apiAuthFinding({ status, type: given, body }).state).toBe(state);
  });
});

it.each([
  ["  sk-1234\r\n", { key: "sk-1234" }],
  ["\n", { key: undefined }],
])("reads a key from %j", (typed, read) => {
  expect(readKey(typed)).toEqual(read);
});

it.each(["sk one", "sk\u0007", "ключ"])("refuses %j as a key", (typed) => {
  expect(readKey(typed)).toHaveProperty("problem");
});
