import { expect, it } from "vitest";
import { bodyOf } from "./read-body.ts";

function request(bytes: number): Request {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      if (sent === bytes) stream.close();
      else stream.enqueue(Uint8Array.of(97));
      sent += 1;
    },
  });
  return new Request("http://localhost/", { method: "POST", body, duplex: "half" } as RequestInit);
}

it("a body in parts is read whole", async () => {
  expect(Buffer.from(await bodyOf(request(30_000))).toString()).toBe("a".repeat(30_000));
});

it("a body over its limit is refused", async () => {
  await expect(bodyOf(request(101), 100)).rejects.toThrow("at most 100 bytes");
});
