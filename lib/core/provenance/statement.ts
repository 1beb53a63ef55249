/** The manifest of a delivery: an in-toto statement about its files, with SLSA provenance of how they were made. Pure. */
import * as z from "zod";

export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
export const PREDICATE_TYPE = "https://slsa.dev/provenance/v1";
/** How the parameters and by-products below are to be read. A change that readers would misread gets another number. */
export const BUILD_TYPE = "urn:l2mac:buildtype:run:v1";
export const BUILDER_ID = "urn:l2mac:builder";

export const ZIP_TYPE = "application/zip";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** The zip first, then every file in it as `<name>/<path>`. Earlier versions had a bill of materials beside the zip. */
export const Subject = z.object({
  name: z.string().min(1),
  digest: z.object({ sha256: hash }),
  mediaType: z.string().optional(),
});
export type Subject = z.infer<typeof Subject>;

const Resource = z.object({
  name: z.string(),
  digest: z.record(z.string(), z.string()),
  annotations: z.record(z.string(), z.unknown()).optional(),
});
export type Resource = z.infer<typeof Resource>;

/** As far as this program reads it; other fields are kept. */
export const Statement = z.looseObject({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(Subject).min(1),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: z.looseObject({
    buildDefinition: z.looseObject({
      buildType: z.literal(BUILD_TYPE),
      externalParameters: z.record(z.string(), z.unknown()),
      resolvedDependencies: z.array(Resource),
    }),
    runDetails: z.looseObject({
      builder: z.looseObject({ id: z.string(), version: z.record(z.string(), z.string()).optional() }),
      metadata: z.looseObject({ invocationId: z.string(), startedOn: z.string(), finishedOn: z.string() }),
      byproducts: z.array(Resource),
    }),
  }),
});
export type Statement = z.infer<typeof Statement>;

export interface StatementParts {
  /** Of the run; the files have it before their paths. */
  name: string;
  zip: string;
  files: { path: string; sha256: string }[];
  runId: string;
  version?: string | undefined;
  startedOn: string;
  finishedOn: string;
  parameters: Record<string, unknown>;
  dependencies: Resource[];
  byproducts: Resource[];
}

export function statementOf(parts: StatementParts): Statement {
  const { name, zip, files, runId, version, startedOn, finishedOn } = parts;
  return {
    _type: STATEMENT_TYPE,
    subject: [
      { name: `${name}.zip`, digest: { sha256: zip }, mediaType: ZIP_TYPE },
      ...files.map(({ path, sha256 }) => ({ name: `${name}/${path}`, digest: { sha256 } })),
    ],
    predicateType: PREDICATE_TYPE,
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: parts.parameters,
        resolvedDependencies: parts.dependencies,
      },
      runDetails: {
        builder: { id: BUILDER_ID, ...(version === undefined ? {} : { version: { l2mac: version } }) },
        metadata: { invocationId: runId, startedOn, finishedOn },
        byproducts: parts.byproducts,
      },
    },
  };
}

/** What a statement says was delivered. */
export interface DeclaredDelivery {
  name: string;
  zip: string;
  beside: { name: string; sha256: string }[];
  /** By path in the zip. */
  files: Map<string, string>;
}

/** Undefined: its first subject is no zip, so it is the manifest of nothing that this program delivers. */
export function declaredIn({ subject: [zip, ...others] }: Pick<Statement, "subject">): DeclaredDelivery | undefined {
  const name = /^([^/]+)\.zip$/.exec(zip?.name ?? "")?.[1];
  if (zip === undefined || name === undefined) return undefined;
  const delivery: DeclaredDelivery = { name, zip: zip.digest.sha256, beside: [], files: new Map() };
  for (const { name: subject, digest } of others) {
    if (subject.startsWith(`${name}/`)) delivery.files.set(subject.slice(name.length + 1), digest.sha256);
    else delivery.beside.push({ name: subject, sha256: digest.sha256 });
  }
  return delivery;
}
