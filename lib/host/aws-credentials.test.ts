import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { credentialsShownBy } from "./aws-credentials.ts";

let HOME = "";
beforeEach(() => {
  HOME = mkdtempSync(join(tmpdir(), "l2mac-aws-"));
  mkdirSync(join(HOME, ".aws"));
});
afterEach(() => rmSync(HOME, { recursive: true }));
const write = (name: string, text: string): void => writeFileSync(join(HOME, ".aws", name), text);

describe("AWS credentials are shown", () => {
  it("by a variable, before any file", () => {
    expect(credentialsShownBy({ HOME, AWS_PROFILE: "models" })).toBe("AWS_PROFILE");
    expect(credentialsShownBy({ HOME, AWS_ACCESS_KEY_ID: "A", AWS_PROFILE: "models" })).toBe("AWS_ACCESS_KEY_ID");
    expect(credentialsShownBy({ HOME, AWS_PROFILE: " " })).toBeUndefined();
  });

  it.each([
    ["credentials", "[other]\nrole_arn = x\n[default]\naws_access_key_id = A\n"],
    ["config", "[default]\nregion = eu-west-1\nsso_session = me\n"],
  ])("by the default profile in %s", (name, text) => {
    write(name, text);
    expect(credentialsShownBy({ HOME })).toBe(join(HOME, ".aws", name));
  });

  it("neither by a region, nor by a profile that is not named", () => {
    write("config", "[default]\nregion = eu-west-1\n[profile work]\nrole_arn = x\n");
    write("credentials", "[work]\naws_access_key_id = A\n");
    expect(credentialsShownBy({ HOME })).toBeUndefined();
  });

  it("by the files that the AWS tools are pointed to", () => {
    write("mine", "[default]\ncredential_process = x\n");
    const path = join(HOME, ".aws/mine");
    expect(credentialsShownBy({ HOME, AWS_CONFIG_FILE: path })).toBe(path);
  });
});
