/** A stored item as the value of its schema, at the door: one of a newer version is named as such, never as damage. */
import { Damaged, Unreadable } from "../core/errors.ts";
import type { Item } from "../core/ports.ts";
import { describeIssue, placeOfUnknownWord, type SchemaIssue } from "../core/store/unknown-word.ts";
import { currentFormat, formatOf, isOfThisFormat } from "./upgrade.ts";

interface Schema<Value> {
  safeParse(item: Item): { success: true; data: Value } | { success: false; error: { issues: SchemaIssue[] } };
}

export function parseItem<Value>(schema: Schema<Value>, item: Item): Value {
  const runId = item.pk.replace("RUN#", "");
  const name = `The item ${item.sk} of run ${runId}`;
  if (!isOfThisFormat(item)) {
    throw ofAnotherVersion(
      `${name} is of format ${JSON.stringify(formatOf(item))}, which another version of this program wrote; this one reads format ${currentFormat(item)}.`,
    );
  }
  const read = schema.safeParse(item);
  if (read.success) return read.data;
  const { issues } = read.error;
  const place = placeOfUnknownWord(issues, item);
  if (place !== undefined) throw ofAnotherVersion(`${name} has a ${place} that a newer version of this program wrote.`);
  throw new Damaged(`${name} in the registry is damaged: ${describeIssue(issues[0])}.`, {
    remedy: { command: "get", args: [runId] },
  });
}

const ofAnotherVersion = (what: string): Unreadable =>
  new Unreadable(`${what} It is left as it is.`, {
    remedy: { command: "list", args: [], note: "shows the other runs; use the version that wrote this one" },
  });
