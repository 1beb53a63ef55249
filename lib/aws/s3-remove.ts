/** Removes all that lies under a prefix, a listing at a time while there is time. What is left, the next call finds again. */
import { DeleteObjectsCommand, paginateListObjectsV2, type S3Client } from "@aws-sdk/client-s3";

export async function removeUnder(
  client: S3Client,
  under: { Bucket: string; Prefix: string },
  goOn: () => boolean,
): Promise<boolean> {
  // A listing has at most 1,000 keys, which is what one deletion takes.
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, under)) {
    const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
    if (Objects.length === 0) continue;
    if (!goOn()) return false;
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket: under.Bucket, Delete: { Objects, Quiet: true } }),
    );
    const [first] = Errors;
    if (first) throw new Error(`S3 did not remove ${Errors.length} keys; ${first.Key}: ${first.Code} ${first.Message}`);
  }
  return true;
}
