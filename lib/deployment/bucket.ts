/** The stack's buckets: counts the runs in one, and empties one for good. */
import { type AwsResult, askAws } from "./aws-result.ts";
import { clientConfig, type Target } from "./target.ts";

/** Each run has one folder; only folders are listed, 1,000 a request. */
export const countRuns = (target: Target, Bucket: string): Promise<AwsResult<number>> =>
  askAws(async () => {
    const { paginateListObjectsV2, S3Client } = await import("@aws-sdk/client-s3");
    const client = new S3Client(clientConfig(target));
    let runs = 0;
    for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: "runs/", Delimiter: "/" })) {
      runs += (page.CommonPrefixes ?? []).length;
    }
    return runs;
  });

/** Deletes old versions and delete markers too: CloudFormation deletes only empty buckets. Returns how many. */
export const emptyBucket = (target: Target, Bucket: string): Promise<AwsResult<number>> =>
  askAws(async () => {
    const { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } = await import("@aws-sdk/client-s3");
    const client = new S3Client(clientConfig(target));
    // Deleted versions are not listed again, so the first page is always the next one.
    for (let deleted = 0; ; ) {
      const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket }));
      const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
      if (Objects.length === 0) return deleted;
      const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
      if (Errors[0]) throw new Error(`${Errors[0].Key}: ${Errors[0].Message}`);
      deleted += Objects.length;
    }
  });
