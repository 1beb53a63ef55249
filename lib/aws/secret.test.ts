import { describe, expect, it } from "vitest";
import { fakeClock } from "../../test/doubles/fake-clock.ts";
import { awsError, type Script, scriptClient } from "../../test/doubles/scripted-client.ts";
import { UserError } from "../core/errors.ts";
import { secretsClient } from "./clients.ts";
import { createSecretReader, NOT_SET } from "./secret.ts";

function rig(script: Script) {
  const client = secretsClient({ region: "us-east-1" });
  const clock = fakeClock();
  const sent = scriptClient(client, script);
  return { sent, clock, secret: createSecretReader({ client, secretId: "l2mac/model-key", clock }) };
}

const FIVE_MINUTES = 5 * 60_000;
const noVersion = awsError("ResourceNotFoundException", {
  message: "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT",
});

describe("a secret", () => {
  it("is read once in five minutes; then a new one is in use", async () => {
    const { secret, sent, clock } = rig([{ SecretString: "one" }, { SecretString: "two" }]);
    expect(await secret.read()).toBe("one");
    clock.advance(FIVE_MINUTES - 1);
    expect(await secret.read()).toBe("one");
    expect(sent).toHaveLength(1);
    clock.advance(1);
    expect(await secret.read()).toBe("two");
    expect(sent).toMatchObject([{ input: { SecretId: "l2mac/model-key" } }, {}]);
  });

  it("loses the white space around it", async () => {
    expect(await rig([{ SecretString: " sk-1\r\n" }]).secret.read()).toBe("sk-1");
  });

  it.each([
    ["has no version yet", noVersion],
    ["is empty", { SecretString: " " }],
    ["still holds what it was deployed with", { SecretString: NOT_SET }],
    ["is no text", { SecretBinary: Uint8Array.of(1) }],
  ])("that %s is not set, and is in use as soon as somebody sets it", async (_, unset) => {
    const { secret } = rig([unset, { SecretString: "sk-1" }]);
    expect(await secret.read()).toBeUndefined();
    expect(await secret.read()).toBe("sk-1");
  });

  it("that is not there, or closed, is an error for the user, which does not tell the value", async () => {
    const gone = awsError("ResourceNotFoundException", {
      message: "Secrets Manager can't find the specified secret.",
    });
    for (const refusal of [gone, awsError("AccessDeniedException")]) {
      const { secret, clock } = rig([{ SecretString: "sk-1" }, refusal]);
      await secret.read();
      clock.advance(FIVE_MINUTES);
      const error = await secret.read().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UserError);
      expect(error).toMatchObject({ message: expect.stringContaining("l2mac/model-key") });
      expect(String(error)).not.toContain("sk-1");
    }
  });
});
