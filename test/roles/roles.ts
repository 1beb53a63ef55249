/**
 * The roles of the deployed functions, for tests without AWS: what works in a role may do with table and files what
 * lib/cloud allows it, and each call beyond that is refused and kept. Calls outside of any role are free. That each
 * permission is needed is shown by `npm run rehearse:cloud`.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { toTransactItem } from "../../lib/aws/write-expressions.ts";
import { STORAGE_ACCESS, type StorageAccess } from "../../lib/cloud/access/storage-access.ts";
import type { Storage } from "../../lib/local/machine.ts";

export type RoleName = Exclude<keyof typeof STORAGE_ACCESS, "sendSpans">;

const roles = new AsyncLocalStorage<RoleName>();
const refused: string[] = [];

/** What was refused since it was asked last. */
export const takeRefused = (): string[] => refused.splice(0);

export const inRole =
  <Given extends unknown[], Answer>(role: RoleName, work: (...given: Given) => Answer) =>
  (...given: Given): Answer =>
    roles.run(role, () => work(...given));

/** A model or an evaluator has no role. */
export const outsideRoles =
  <Given extends unknown[], Answer>(work: (...given: Given) => Answer) =>
  (...given: Given): Answer =>
    roles.exit(() => work(...given));

/** Each function of an object in the role of its name, or all in one. */
export const allInRole = <Work extends object>(works: Work, role?: RoleName): Work =>
  Object.fromEntries(
    Object.entries(works).map(([name, work]) => [name, inRole(role ?? (name as RoleName), work)]),
  ) as Work;

/** The storage as functions see it that have roles. */
export function guardStorage({ table, files }: Storage): Storage {
  return {
    table: {
      ...table,
      get: async (key) => {
        mustAllow((access) => onTable(access, "GetItem"));
        return table.get(key);
      },
      query: async (pk, range) => {
        mustAllow((access) => onTable(access, "Query"));
        return table.query(pk, range);
      },
      index: async (name, range) => {
        mustAllow(({ index }) => index === name || `dynamodb:Query on the index ${name}`);
        return table.index(name, range);
      },
      transact: async (writes) => {
        for (const write of writes) {
          const [kind = ""] = Object.keys(toTransactItem("registry", write));
          mustAllow((access) => onTable(access, kind === "ConditionCheck" ? "ConditionCheckItem" : `${kind}Item`));
        }
        return table.transact(writes);
      },
    },
    files: {
      put: async (key, bytes) => {
        mustAllow((access) => onFile(access, key, "PutObject"));
        return files.put(key, bytes);
      },
      putOnce: async (key, bytes) => {
        mustAllow((access) => onFile(access, key, "PutObject"));
        return files.putOnce(key, bytes);
      },
      get: async (key) => {
        mustAllow((access) => onFile(access, key, "GetObject"));
        const bytes = await files.get(key);
        if (bytes === undefined) mustAllow(({ lists }) => lists === "everything" || LIST);
        return bytes;
      },
      remove: async (key) => {
        mustAllow((access) => onFile(access, key, "DeleteObject"));
        return files.remove(key);
      },
      removeAll: async (prefix, goOn) => {
        mustAllow(({ lists }) => lists === "everything" || (lists === "runs" && prefix.startsWith("runs/")) || LIST);
        mustAllow((access) => onFile(access, prefix, "DeleteObject"));
        return files.removeAll(prefix, goOn);
      },
    },
  };
}

/** True, or what is missing. */
type Allowed = true | string;

const LIST = "s3:ListBucket";

const onTable = ({ table }: StorageAccess, action: string): Allowed =>
  table.includes(`dynamodb:${action}`) || `dynamodb:${action}`;

function onFile({ files }: StorageAccess, key: string, action: string): Allowed {
  const [place = ""] = key.split("/");
  const allowed = Object.entries(files).find(([name]) => name === place)?.[1] ?? [];
  return allowed.includes(`s3:${action}`) || `s3:${action} on ${place}/*`;
}

function mustAllow(asks: (access: StorageAccess) => Allowed): void {
  const role = roles.getStore();
  if (role === undefined) return;
  const allowed = asks(STORAGE_ACCESS[role]);
  if (allowed === true) return;
  const message = `The role of ${role} is not authorized to perform: ${allowed}`;
  refused.push(message);
  throw Object.assign(new Error(message), { name: "AccessDeniedException" });
}
