/** The adapters of AWS keep the contracts, on emulators that others wrote: the wire is the judge, not our reading of it. */
import { CreateTableCommand, DeleteTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dynamoClient, type Place } from "../../lib/aws/clients.ts";
import { createDynamoTable } from "../../lib/aws/dynamo-table.ts";
import { tableDefinition } from "../../lib/aws/table-definition.ts";
import type { Condition } from "../../lib/core/ports.ts";
import { systemClock } from "../../lib/local/system-clock.ts";
import { dynamoDbLocal, dynoxide, type Emulator } from "../emulators/emulators.ts";
import type { Running } from "../emulators/leash.ts";
import { describeRegistry } from "./registry.contract.ts";
import { describeTable } from "./table.contract.ts";

const waiting = { clock: systemClock, random: Math.random };
let opened = 0;

/** One at a time, and none left behind. */
function onEmulator(emulator: Emulator, tests: (place: () => Place) => void): void {
  describe.skipIf(!emulator.isThere)(emulator.title, () => {
    let running: Running;
    beforeAll(async () => {
      running = await emulator.start();
    }, 90_000);
    afterAll(() => running?.stop());
    const credentials = { accessKeyId: "emulated", secretAccessKey: "emulated" };
    tests(() => ({ endpoint: running.endpoint, region: "us-east-1", credentials }));
  });
}

async function openTable(place: Place) {
  const client = dynamoClient(place);
  const other = dynamoClient(place);
  opened += 1;
  const tableName = `l2mac-${opened}`;
  await client.send(new CreateTableCommand(tableDefinition(tableName)));
  return {
    tableName,
    table: createDynamoTable({ client, tableName, ...waiting }),
    another: createDynamoTable({ client: other, tableName, ...waiting }),
    async close() {
      await client.send(new DeleteTableCommand({ TableName: tableName }));
      client.destroy();
      other.destroy();
    },
  };
}

onEmulator(dynamoDbLocal, (place) => {
  describeTable("DynamoDB", () => openTable(place()));
  describeRegistry("DynamoDB", () => openTable(place()));
  describeLostAnswers(place);
});

// Not the table's contract: its begins_with takes upper and lower case for the same.
onEmulator(dynoxide, (place) => {
  describeRegistry("DynamoDB", () => openTable(place()));
  describeLostAnswers(place);
});

function describeLostAnswers(place: () => Place): void {
  it("a transaction that was carried out, but whose answer was lost, is not carried out again", async () => {
    const opened = await openTable(place());
    const client = dynamoClient(place());
    loseFirstAnswer(client);
    const table = createDynamoTable({ client, tableName: opened.tableName, ...waiting });
    const counter = { pk: "RUN#1", sk: "COUNT", n: 0 };
    await opened.table.transact([{ put: counter }]);
    const when: Condition[] = [{ attribute: "n", is: 0 }];
    expect(await table.transact([{ update: counter, add: { n: 1 }, when }])).toEqual({ ok: true });
    expect(await opened.table.get(counter)).toEqual({ ...counter, n: 1 });
    client.destroy();
    await opened.close();
  });
}

/** The server has done its work when the connection breaks. */
function loseFirstAnswer(client: DynamoDBClient): void {
  let lost = false;
  client.middlewareStack.add(
    (next) => async (request) => {
      const answer = await next(request);
      if (lost) return answer;
      lost = true;
      throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
    },
    { step: "deserialize" },
  );
}
