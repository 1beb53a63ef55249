/** Files too large for a request are uploaded first. */
import { packTree } from "../../../lib/pack/pack.ts";
import { type Act, ask, compute, json, must, mustStand, SHORT } from "./act.ts";

export const uploaded: Act = {
  name: "a run starts from files that were uploaded",
  async play(stage) {
    const zip = packTree(undefined, [{ path: "kept/as-it-was.bin", content: new Uint8Array(3 * 1024).fill(255) }]);
    const asked = { status: 201, body: { bytes: zip.length } };
    const { id, method, url, headers } = json(await ask(stage, "POST /uploads", asked));
    const stored = await fetch(url, { method, headers, body: zip.slice() });
    must(`The upload is taken, and not answered with ${stored.status}`, stored.ok, await stored.text());
    const run = await compute(stage, { ...SHORT, uploads: { files: id } });
    mustStand(run, "completed");
    const { bytes } = await ask(stage, `GET /runs/${run.id}/file?path=kept/as-it-was.bin`);
    must("The file is as it was", bytes.length === 3 * 1024 && bytes.every((byte) => byte === 255));
  },
};
