import { describe, expect, it } from "vitest";
import { mayFollow, readAddress } from "./address.ts";

const problemOf = (given: string, env = {}): string => {
  try {
    return JSON.stringify(readAddress(given, env));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe("an API's address", () => {
  it.each([
    ["https://ab12.execute-api.eu-west-1.amazonaws.com/v1/", "eu-west-1"],
    ["https://ab12.execute-api.cn-north-1.amazonaws.com.cn/v1", "cn-north-1"],
  ])("tells the region: %s", (given, region) => {
    expect(readAddress(given, { AWS_REGION: "us-east-1" })).toEqual({ url: given.replace(/\/$/, ""), region });
  });

  it("of a name of one's own needs a region from the environment", () => {
    expect(readAddress("https://l2mac.example.com", { AWS_DEFAULT_REGION: "eu-north-1" })).toEqual({
      url: "https://l2mac.example.com",
      region: "eu-north-1",
    });
    expect(problemOf("https://l2mac.example.com")).toContain("does not tell its AWS region");
  });

  it("on this computer is neither signed nor encrypted", () => {
    expect(readAddress("http://127.0.0.1:4600", { AWS_REGION: "eu-west-1" })).toEqual({ url: "http://127.0.0.1:4600" });
    expect(readAddress("http://localhost:4600/", {})).toEqual({ url: "http://localhost:4600" });
  });

  it.each([
    ["http://ab12.execute-api.eu-west-1.amazonaws.com/v1", "without TLS"],
    ["http://127.0.0.1.example.com", "without TLS"],
    ["http://localhost@example.com", "no user or password"],
    ["ftp://127.0.0.1", "no https address"],
    ["v1", "no https address"],
    ["https://example.com/v1?token=abc", "must end with its path"],
  ])("is refused: %s", (given, why) => {
    expect(problemOf(given)).toContain(why);
  });

  it("is not repeated where a password may be in it", () => {
    expect(problemOf("https://me:hunter2@example.com")).not.toContain("hunter2");
    expect(problemOf("https://example.com/?sig=hunter2")).not.toContain("hunter2");
  });

  it.each([
    ["https://ab12.execute-api.eu-west-1.amazonaws.com/v1", "https://bucket.s3.eu-west-1.amazonaws.com/x", true],
    ["https://ab12.execute-api.eu-west-1.amazonaws.com/v1", "http://169.254.169.254/latest/meta-data", false],
    ["https://ab12.execute-api.eu-west-1.amazonaws.com/v1", "file:///etc/passwd", false],
    ["http://127.0.0.1:4600", "http://127.0.0.1:4600/links/x", true],
    ["http://127.0.0.1:4600", "http://127.0.0.1:8080/admin", false],
  ])("%s may send to %s: %s", (url, link, may) => {
    expect(mayFollow({ url }, new URL(link))).toBe(may);
  });
});
