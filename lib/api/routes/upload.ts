/** `POST /uploads`: a link under which a zip of files can be stored that is too large for a request. */
import * as z from "zod";
import { MiB } from "../../core/limits.ts";
import { ulid } from "../../core/run/ulid.ts";
import { Refused } from "../problem.ts";
import { LINK_SECONDS, wholeLink } from "../respond.ts";
import { route } from "../route.ts";
import { uploadKey } from "../starting-files.ts";

/** Far above what could be packed into a tree's limit. */
const UPLOAD_BYTES = 64 * MiB;

export const upload = route({
  method: "POST",
  path: "/uploads",
  name: "createUpload",
  says: "Mints a link to PUT a zip of files to. Its id then goes into `uploads.files` of a submission.",
  body: z.strictObject({ bytes: z.number().int().min(1).max(UPLOAD_BYTES).describe("The exact size of the zip.") }),
  answers: {
    201: {
      says: "Where to PUT it, with these headers, once, before it expires.",
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
  async handle(asked) {
    const { parts, context } = asked;
    const { bytes } = asked.body;
    if (!parts.uploads) throw new Refused(404, "This server takes no uploads.");
    const now = parts.clock.now();
    const id = ulid(now, parts.random);
    const made = await parts.uploads.put(uploadKey(context.caller, id), { seconds: LINK_SECONDS, bytes });
    const expiresAt = new Date(now + LINK_SECONDS * 1_000).toISOString();
    return {
      status: 201,
      json: { id, method: "PUT", url: wholeLink(made.url, asked), headers: made.headers, expiresAt },
    };
  },
});
