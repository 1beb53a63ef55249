import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";
import { type Receiver, startReceiver } from "../../../test/servers/webhook-receiver.ts";

const SECRET = "seen-by-nobody-but-the-receiver";
const REHEARSAL = ["run", "Three notes.", "--rehearse", "--json"];
let receiver: Receiver;
let bench: Bench;
beforeEach(async () => {
  receiver = await startReceiver();
  bench = aBench({ L2MAC_WEBHOOK_SECRET: SECRET });
  bench.configure({ webhook: { url: receiver.url, allowPrivate: true } });
});
afterEach(async () => {
  bench.remove();
  await receiver.close();
});

describe("the command", () => {
  it("tells the webhook how a run ended before it ends itself, and shows the secret nowhere", async () => {
    const server = await startProgramServer({ instructions: 1 });
    const task = ["Write a part.", "--base-url", server.url, "--model", "scripted", "--no-tests", "--json"];
    const { stdout, stderr } = await bench.run(task);
    await server.close();
    expect(receiver.received.map(({ notification }) => notification.type)).toEqual(["completed"]);
    expect(receiver.received[0]?.headers["x-l2mac-signature"]).toMatch(/^v1=[0-9a-f]{64}$/);
    expect(stdout + stderr).not.toContain(SECRET);
    // Who only looks is let look, though the webhook is configured wrongly.
    bench.env.L2MAC_WEBHOOK_SECRET = "";
    expect(await bench.run(["list"])).toMatchObject({ code: 0, stdout: expect.stringContaining("completed") });
  });

  it("posts Slack's form to an incoming webhook, unsigned and without a secret", async () => {
    bench.env.L2MAC_WEBHOOK_SECRET = "";
    bench.configure({ webhook: { url: receiver.url, allowPrivate: true, format: "slack" } });
    expect(await bench.run([...REHEARSAL, "--no-tests"])).toMatchObject({ code: expect.any(Number) });
    const [received] = receiver.received;
    const headers = received?.headers ?? {};
    expect(JSON.parse(received?.body ?? "{}")).toMatchObject({
      text: expect.stringContaining("Three notes"),
      blocks: expect.anything(),
    });
    expect(received?.headers["x-l2mac-id"]).toMatch(/-(completed|partial)$/);
    expect(Object.keys(headers).filter((name) => /signature|timestamp/.test(name))).toEqual([]);
    expect((await bench.run(["doctor", "--json"])).stdout).toContain("in Slack's form and unsigned");
  });

  it("starts nothing that it could not sign for, and says how to set the secret", async () => {
    bench.env.L2MAC_WEBHOOK_SECRET = "";
    const { code, stderr } = await bench.run(REHEARSAL);
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/no secret to sign with.*\n.*export L2MAC_WEBHOOK_SECRET=/),
    ]);
    bench.env.L2MAC_WEBHOOK_SECRET = "short";
    expect(await bench.run(REHEARSAL)).toMatchObject({ code: 3, stderr: expect.stringContaining("16 characters") });
  });

  it.each([
    [{ url: "ftp://hooks.example.org" }, /webhook\.url: expected an address, https/],
    [{ url: "https://me:mine@hooks.example.org/" }, /webhook\.url: expected an address without a user/],
    [{ url: "https://hooks.example.org/", secret: "short" }, /webhook\.secret: .*16 characters/],
    [{ url: "https://hooks.example.org/", headers: {} }, /webhook has no field headers/],
  ])("refuses %j in the configuration", async (webhook, said) => {
    bench.configure({ webhook });
    expect(await bench.run(REHEARSAL)).toMatchObject({ code: 3, stderr: expect.stringMatching(said) });
  });
});

describe("l2mac doctor", () => {
  const findingIn = async () =>
    JSON.parse((await bench.run(["doctor", "--json"])).stdout).findings.find(
      ({ what }: { what: string }) => what === "webhook",
    );

  it("names the host and the source of the secret, and shows neither the secret nor the path", async () => {
    const { host } = new URL(receiver.url);
    const says = `${host} is notified of runs; its secret is set by L2MAC_WEBHOOK_SECRET`;
    expect(await findingIn()).toEqual({ what: "webhook", state: "ok", says });
  });

  it("reports a refused URL with the reason and what to do", async () => {
    bench.configure({ webhook: { url: `${receiver.url}hidden` } });
    const { host } = new URL(receiver.url);
    const finding = await findingIn();
    expect(finding).toMatchObject({ what: "webhook", state: "note" });
    expect(finding.says).toContain(`${host} is not notified: its address is a private one`);
    expect(finding.says).toContain('"allowPrivate": true');
    expect(finding.says).not.toMatch(/hidden|seen-by-nobody/);
  });

  it("reports a missing secret", async () => {
    bench.env.L2MAC_WEBHOOK_SECRET = "";
    expect(await findingIn()).toMatchObject({ state: "missing", says: expect.stringContaining("no secret") });
  });

  it("reports that no webhook is configured", async () => {
    bench.configure({});
    expect(await findingIn()).toMatchObject({ state: "ok", says: "not configured" });
  });
});
