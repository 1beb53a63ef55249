/** `POST /uploads`: a link to upload a zip that is too large for a request. */
import * as z from "zod";
import { ZIP_BYTES } from "../../core/limits.ts";
import { ulid } from "../../core/run/ulid.ts";
import { Refused } from "../problem.ts";
import { LINK_SECONDS, wholeLink } from "../respond.ts";
import { route } from "../route.ts";
import { uploadKey } from "../starting-files.ts";

export const upload = route({
  name: "createUpload",
  description: "Creates a link to PUT a zip of files to. Pass its id as `uploads.files` of a submission.",
  body: z.strictObject({ bytes: z.int().min(1).max(ZIP_BYTES).describe("The exact size of the zip.") }),
  answers: {
    201: {
      description: "The URL to PUT the zip to, once, with these headers, before it expires.",
      schema: z.object({
        id: z.string(),
        method: z.literal("PUT"),
        url: z.string(),
        headers: z.record(z.string(), z.string()),
        expiresAt: z.string(),
      }),
    },
  },
  problems: [400, 403, 404, 413, 415],
  async handle(call) {
    const { parts, context } = call;
    const { bytes } = call.body;
    if (!parts.uploads) throw new Refused(404, "This server takes no uploads.");
    const now = parts.clock.now();
    const id = ulid(now, parts.random);
    const made = await parts.uploads.put(uploadKey(context.caller, id), { seconds: LINK_SECONDS, bytes });
    const expiresAt = new Date(now + LINK_SECONDS * 1_000).toISOString();
    return {
      status: 201,
      json: { id, method: "PUT", url: wholeLink(made.url, call), headers: made.headers, expiresAt },
    };
  },
});
