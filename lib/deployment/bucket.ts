/** A bucket of the stack: how many runs it holds, and emptying it for good. */
import type { Place } from "./chosen.ts";
import { clientConfig } from "./client-config.ts";
import { asking, type Told } from "./told.ts";

/** Each run has a folder of its own; only folders are listed, a thousand a request. */
export const countRuns = (place: Place, Bucket: string): Promise<Told<number>> =>
  asking(async () => {
    const { paginateListObjectsV2, S3Client } = await import("@aws-sdk/client-s3");
    const client = new S3Client(clientConfig(place));
    let runs = 0;
    for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: "runs/", Delimiter: "/" })) {
      runs += (page.CommonPrefixes ?? []).length;
    }
    return runs;
  });

/** Also what was replaced or deleted before: CloudFormation deletes no bucket that holds any of it. Answers how many. */
export const emptyBucket = (place: Place, Bucket: string): Promise<Told<number>> =>
  asking(async () => {
    const { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } = await import("@aws-sdk/client-s3");
    const client = new S3Client(clientConfig(place));
    // What was deleted is not listed again, so the first page is always the next.
    for (let deleted = 0; ; ) {
      const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket }));
      const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
      if (Objects.length === 0) return deleted;
      const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
      if (Errors[0]) throw new Error(`${Errors[0].Key}: ${Errors[0].Message}`);
      deleted += Objects.length;
    }
  });
