import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import {
  aDeployment,
  aFolder,
  aFunction,
  anIam,
  arnOfFunction,
  removeFolders,
} from "../cloudformation/small-deployment.ts";
import { createFunctions } from "./functions.ts";

afterAll(removeFolders);

const functionArn = arnOfFunction("It");

it("an invocation that is under way ends with the old code after an update, and the next one has the new code", async () => {
  const waiting = Promise.withResolvers<ServerResponse>();
  const gate = createServer((_request, response) => waiting.resolve(response)).listen(0, "127.0.0.1");
  await once(gate, "listening");
  const { port } = gate.address() as AddressInfo;
  const versions = [`(await fetch("http://127.0.0.1:${port}")).text()`, '"new"'];
  const [before, after] = versions.map((answer) => {
    const code = aFolder({
      "entry.mjs": `export const handler = async () => ${answer.replace("(await", "await (await")};`,
    });
    return aDeployment([aFunction("It", code)]);
  });
  if (!before || !after) throw new Error("Two deployments are needed.");
  const functions = createFunctions({ deployed: before, iam: anIam(), aws: { endpoint: "http://127.0.0.1:1" } });
  try {
    const underWay = functions.invoke({ functionArn, payload: "{}" });
    const response = await waiting.promise;
    functions.update(after);
    expect(await functions.invoke({ functionArn, payload: "{}" })).toMatchObject({ payload: '"new"' });
    response.end("old");
    expect(await underWay).toMatchObject({ payload: '"old"' });
    expect(functions.usage().It).toMatchObject({ invocations: 1, errors: 0 });
  } finally {
    await functions.stop();
    gate.close();
  }
});
