/** A private repository on a Git server: a run starts from it, and is pushed to it, with the token of the stack's secret. */
import { GetObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import type { ServedRepository } from "../../../test/servers/stage-repository.ts";
import type { Stage } from "../stage.ts";
import { KEY } from "../stage-model.ts";
import { type Act, ask, compute, json, must, mustStand, SHORT } from "./act.ts";

function repositoryOf({ repository }: Stage): ServedRepository {
  if (!repository) throw new Error("No Git server is configured on this stage.");
  return repository;
}

export const fetchedAndPushed: Act = {
  name: "a run starts from a private Git repository, its steps are pushed to it, and the token shows nowhere",
  async play(stage) {
    const { url, head, ask: git, api } = repositoryOf(stage);
    const pulls = api.pulls.length;
    const run = await compute(stage, { ...SHORT, from: `${url}#main`, push: true });
    mustStand(run, "completed");
    must("The commit is recorded that it started from", run.git?.commit === head, run.git);
    const { branch = "", commit, pullRequest } = run.git?.pushed ?? {};
    must("Its steps are on a branch of the server", git("rev-parse", branch) === commit, run.detail);
    must("They lie on the commit that it started from", git("rev-parse", `${branch}~2`) === head);
    must("The repository is sound", !/error|missing|warning/.test(git("fsck", "--full", "--strict")));
    must("There is one pull request", api.pulls.length === pulls + 1 && pullRequest !== undefined, run.detail);
    must("It is as GitHub describes it", api.faults.length === 0, api.faults);
    const { bytes } = await ask(stage, `GET /runs/${run.id}/file?path=kept.txt`);
    must("It was computed on the repository's files", Buffer.from(bytes).toString() === "kept\n");
    const { files } = json(await ask(stage, `GET /runs/${run.id}/files`));
    must("The secrets of the repository are not in it", !JSON.stringify(files).includes(".env"), files);
    await mustHideToken(stage, run.id);
  },
};

async function mustHideToken(stage: Stage, runId: string): Promise<void> {
  const outputs = [
    ...stage.functions.logs().map(({ text }) => text),
    ...stage.controlUnit.executions().map((execution) => JSON.stringify(execution)),
    JSON.stringify(await stage.itemOf(runId)),
    JSON.stringify(json(await ask(stage, `GET /runs/${runId}/events`))),
    JSON.stringify(stage.deployed.resources),
    ...(await objectsOf(stage, runId)),
  ];
  const basic = Buffer.from(`x-access-token:${KEY}`).toString("base64");
  for (const secret of [KEY, basic])
    must(
      "The token is in no log, item, event, object or template",
      outputs.every((text) => !text.includes(secret)),
    );
}

/** As they are stored, journal and packs. */
async function objectsOf({ storage: { s3, bucketName } }: Stage, runId: string): Promise<string[]> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucketName, Prefix: `runs/${runId}/` }));
  must("The run has objects", Contents.length > 0);
  return Promise.all(
    Contents.map(async ({ Key }) => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucketName, Key }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []).toString("latin1");
    }),
  );
}
