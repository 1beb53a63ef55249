/** S3's operations in the REST protocol, and the actions they need. Refuses unknown query parameters. Pure. */

import type { Ask, WireRequest } from "../parts.ts";
import { decoded, partsOf } from "../sigv4/canonical-request.ts";
import { type DeploymentScope, type ReadOperation, unknownOperation } from "./operation.ts";

/** A bucket is named by the path: the proxy has one address for all of them. */
export const s3Operation: ReadOperation = (wire, scope) => {
  const request = read(wire, scope);
  const found = OPERATIONS.find(({ matches }) => matches(request));
  const { method, path } = request;
  const unknown = `S3's ${method} ${path}?${[...request.query.keys()].join("&")}`;
  if (!found || request.bucket === "") return unknownOperation(unknown);
  const strange = [...request.query.keys()].find((name) => !EVERYWHERE.test(name) && !found.query.includes(name));
  if (strange !== undefined) return unknownOperation(`${unknown} (${strange})`);
  const header = Object.keys(request.headers).find((name) => UNKNOWN_HEADERS.test(name));
  if (header !== undefined) return unknownOperation(`S3's ${found.name} with ${header}`);
  return { name: found.name, about: request.key === "" ? request.bucket : request.key, asks: found.asks(request) };
};

interface S3Request {
  method: string;
  path: string;
  bucket: string;
  /** As it is called, not as it is encoded. */
  key: string;
  query: Map<string, string>;
  bucketArn: string;
  body: string;
  headers: WireRequest["headers"];
}

function read({ method, target, headers, body }: WireRequest, { partition }: DeploymentScope): S3Request {
  const { path, query } = partsOf(target);
  const [, bucket = "", written = ""] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
  const key = written.split("/").map(decoded).join("/");
  const bucketArn = `arn:${partition}:s3:::${bucket}`;
  return {
    method,
    path,
    bucket,
    key,
    query: new Map(query),
    bucketArn,
    body: method === "POST" ? body.toString() : "",
    headers,
  };
}

/** Signatures, and what the SDK says of itself. */
const EVERYWHERE =
  /^(x-amz-(algorithm|credential|date|expires|signedheaders|signature|security-token|content-sha256|checksum-mode|sdk-checksum-algorithm|checksum-crc32)|x-id)$/i;

/** Each of these needs an action more, which nothing here asks for. */
const UNKNOWN_HEADERS =
  /^x-amz-(copy-source|acl|grant-.*|tagging|object-lock-.*|bypass-governance-retention|website-redirect-location)$/;

interface S3OperationRule {
  name: string;
  matches(request: S3Request): boolean;
  /** What its query may have. */
  query: string[];
  asks(request: S3Request): Ask[];
}

const object = ({ bucketArn, key }: S3Request): string => `${bucketArn}/${key}`;

const isOn = (methods: string, { method, key }: S3Request, where: "bucket" | "object"): boolean =>
  methods.split(" ").includes(method) && (where === "object") === (key !== "");

const onObject =
  (action: string): S3OperationRule["asks"] =>
  (request) => [{ action: request.query.has("versionId") ? `${action}Version` : action, resource: object(request) }];

const RESPONSE = [
  ...["response-content-type", "response-content-language", "response-content-disposition"],
  ...["response-content-encoding", "response-cache-control", "response-expires"],
];

const OPERATIONS: S3OperationRule[] = [
  {
    name: "ListParts",
    matches: (request) => isOn("GET", request, "object") && request.query.has("uploadId"),
    query: ["uploadId", "max-parts", "part-number-marker"],
    asks: onObject("s3:ListMultipartUploadParts"),
  },
  {
    name: "GetObject",
    matches: (request) => isOn("GET", request, "object"),
    query: ["versionId", "partNumber", ...RESPONSE],
    asks: onObject("s3:GetObject"),
  },
  {
    name: "HeadObject",
    matches: (request) => isOn("HEAD", request, "object"),
    query: ["versionId", "partNumber", ...RESPONSE],
    asks: onObject("s3:GetObject"),
  },
  {
    name: "UploadPart",
    matches: (request) => isOn("PUT", request, "object") && request.query.has("partNumber"),
    query: ["partNumber", "uploadId"],
    asks: onObject("s3:PutObject"),
  },
  {
    name: "PutObject",
    matches: (request) => isOn("PUT", request, "object"),
    query: [],
    asks: (request) => {
      const unless = request.headers["if-none-match"];
      const context = unless === undefined ? {} : { context: { "s3:if-none-match": unless } };
      return [{ action: "s3:PutObject", resource: object(request), ...context }];
    },
  },
  {
    name: "CreateMultipartUpload",
    matches: (request) => isOn("POST", request, "object") && request.query.has("uploads"),
    query: ["uploads"],
    asks: onObject("s3:PutObject"),
  },
  {
    name: "CompleteMultipartUpload",
    matches: (request) => isOn("POST", request, "object") && request.query.has("uploadId"),
    query: ["uploadId"],
    asks: onObject("s3:PutObject"),
  },
  {
    name: "AbortMultipartUpload",
    matches: (request) => isOn("DELETE", request, "object") && request.query.has("uploadId"),
    query: ["uploadId"],
    asks: onObject("s3:AbortMultipartUpload"),
  },
  {
    name: "DeleteObject",
    matches: (request) => isOn("DELETE", request, "object"),
    query: ["versionId"],
    asks: onObject("s3:DeleteObject"),
  },
  {
    name: "DeleteObjects",
    matches: (request) => isOn("POST", request, "bucket") && request.query.has("delete"),
    query: ["delete"],
    asks: ({ bucketArn, body }) =>
      deletedIn(body).map(({ key, versioned }) => ({
        action: versioned ? "s3:DeleteObjectVersion" : "s3:DeleteObject",
        resource: `${bucketArn}/${key}`,
      })),
  },
  {
    name: "ListObjectsV2",
    matches: (request) => isOn("GET", request, "bucket") && request.query.get("list-type") === "2",
    query: [
      "list-type",
      "prefix",
      "delimiter",
      "max-keys",
      "continuation-token",
      "start-after",
      "encoding-type",
      "fetch-owner",
    ],
    asks: ({ bucketArn, query }) => [{ action: "s3:ListBucket", resource: bucketArn, context: listing(query) }],
  },
];

const listing = (query: Map<string, string>): Record<string, string> =>
  Object.fromEntries(
    ["prefix", "delimiter", "max-keys"].flatMap((name) => {
      const value = query.get(name);
      return value === undefined ? [] : [[`s3:${name}`, value]];
    }),
  );

function deletedIn(xml: string): { key: string; versioned: boolean }[] {
  const objects = [...xml.matchAll(/<Object>(.*?)<\/Object>/gs)].map(([, object = ""]) => object);
  const found = objects.map((object) => ({
    key: /<Key>(.*?)<\/Key>/s.exec(object)?.[1],
    versioned: object.includes("<VersionId>"),
  }));
  if (found.length === 0 || found.some(({ key }) => key === undefined)) throw new Error("A deletion names no keys.");
  return found.map(({ key = "", versioned }) => ({ key: unescaped(key), versioned }));
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

const unescaped = (text: string): string =>
  text.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (name.startsWith("#x")) return String.fromCodePoint(Number.parseInt(name.slice(2), 16));
    return name.startsWith("#") ? String.fromCodePoint(Number(name.slice(1))) : (ENTITIES[name] ?? whole);
  });
