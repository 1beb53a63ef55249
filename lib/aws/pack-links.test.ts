import { expect, it } from "vitest";
import { linkClient } from "./clients.ts";
import { createPackLinks } from "./pack-links.ts";
import { createPresigner } from "./presign.ts";

const client = linkClient({ region: "eu-west-1", credentials: { accessKeyId: "AKID", secretAccessKey: "secret" } });
const key = "runs/01RUN/packs/000050.zip";

it("names each pack by a link that holds for two minutes, and the addresses of the store", async () => {
  const hosts: string[] = [];
  const resolve = async (host: string) => {
    hosts.push(host);
    return ["192.0.2.1"];
  };
  const { addresses, parts } = await createPackLinks(createPresigner({ client, bucket: "files" }), resolve)([{ key }]);
  expect(addresses).toEqual(["192.0.2.1"]);
  expect(parts.map((part) => part.key)).toEqual([key]);
  const { protocol, hostname, pathname, searchParams } = new URL(parts[0]?.url ?? "");
  expect({ protocol, pathname }).toEqual({ protocol: "https:", pathname: `/${key}` });
  expect(hosts).toEqual([hostname]);
  expect(searchParams.get("X-Amz-Expires")).toBe("120");
  expect(searchParams.get("X-Amz-SignedHeaders")).toBe("host");
});
