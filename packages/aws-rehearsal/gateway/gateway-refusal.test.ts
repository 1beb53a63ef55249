import { describe, expect, it } from "vitest";
import { readResponse, refuse } from "./gateway-refusal.ts";

const refusal = { type: "ACCESS_DENIED", status: 403, message: 'no "way"', errorType: "AccessDeniedException" };
const response = (more: Record<string, unknown>) => readResponse({ ResponseType: "DEFAULT_4XX", ...more });
const templated = (template: string) => response({ ResponseTemplates: { "application/json": template } });

describe("a refusal of the gateway", () => {
  it("is API Gateway's own where the stack says nothing of it", () => {
    const said = refuse([response({ ResponseType: "DEFAULT_5XX" })], refusal, "r");
    expect(said).toMatchObject({ status: 403, headers: { "x-amzn-errortype": "AccessDeniedException" } });
    expect(JSON.parse(said.body.toString())).toEqual({ message: 'no "way"' });
  });

  it("takes the response of its type before that of all", () => {
    const own = readResponse({
      ResponseType: "ACCESS_DENIED",
      StatusCode: "404",
      ResponseParameters: { "gatewayresponse.header.Content-Type": "'text/plain'" },
      ResponseTemplates: { "application/json": "$context.error.responseType $context.requestId" },
    });
    const said = refuse([templated("{}"), own], refusal, "r");
    expect(said).toMatchObject({ status: 404, headers: { "content-type": "text/plain" } });
    expect(said.body.toString()).toBe("ACCESS_DENIED r");
  });

  it("fails for a template variable without a value", () => {
    expect(() => refuse([templated("$context.error.nothing")], refusal, "r")).toThrow(/context\.error\.nothing/);
    expect(() => refuse([templated('$input.json("x")')], refusal, "r")).toThrow(/input\.json/);
    const mapped = { "gatewayresponse.header.x": "method.request.header.x" };
    const parameters = response({ ResponseParameters: mapped, ResponseTemplates: { "application/json": "{}" } });
    expect(() => refuse([parameters], refusal, "r")).toThrow(/not understood/);
  });
});
