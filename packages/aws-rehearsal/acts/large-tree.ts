/** A repository of 60 MB: it travels by links, step by step, and comes back as it was. */
import { createHash } from "node:crypto";
import { packTree, unpackTree } from "../../../lib/pack/pack.ts";
import { BY_LINK } from "../iam/endpoint-policy.ts";
import { type Act, ask, compute, json, must, mustStand, SHORT } from "./act.ts";

const FILES = 240;
const FILE_BYTES = 256 * 1_024;

/** The same at each rehearsal, and it does not deflate. */
const noise = (seed: number): Uint8Array =>
  createHash("shake128", { outputLength: FILE_BYTES }).update(`repository ${seed}`).digest();

export const largeTree: Act = {
  name: "a run starts from a repository of 60 MB, which the evaluator fetches by links",
  async play(stage) {
    const changes = Array.from({ length: FILES }, (_, index) => ({
      path: `assets/${index % 16}/${index}.bin`,
      content: noise(index),
    }));
    const zip = packTree(undefined, changes);
    const asked = { status: 201, body: { bytes: zip.length } };
    const { id, method, url, headers } = json(await ask(stage, "POST /uploads", asked));
    const stored = await fetch(url, { method, headers, body: new Uint8Array(zip) });
    must(`The upload is taken, and not answered with ${stored.status}`, stored.ok);
    const run = await compute(stage, { ...SHORT, program: SHORT.program.slice(0, 1), uploads: { files: id } });
    mustStand(run, "completed", run.reason === "unchecked" ? "unchecked" : undefined);
    const linked = stage.proxy.counts().filter(({ principal }) => principal.endsWith(BY_LINK));
    must(
      "The evaluator fetched packs by links",
      linked.some(({ operation }) => operation === "GetObject"),
      linked,
    );
    must(
      "It asked for nothing else",
      linked.every(({ operation }) => operation === "GetObject"),
      linked,
    );
    const link = json(await ask(stage, `GET /runs/${run.id}/output`));
    const tree = unpackTree(new Uint8Array(await (await fetch(link.url)).arrayBuffer()));
    const kept = changes.every(({ path, content }) => Buffer.compare(tree.get(path) ?? zip, content) === 0);
    must("Every file is as it was", kept);
    must("The instruction added its files", tree.size > FILES, tree.size);
  },
};
