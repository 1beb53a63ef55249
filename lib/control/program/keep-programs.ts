/** Keeps the programs of an owner under names: the registry has the names, the file store the bytes. */
import { Damaged, UserError } from "../../core/errors.ts";
import { hashIn } from "../../core/program/language/calls/label.ts";
import { dataOf } from "../../core/program/language/program-data.ts";
import { readProgramData } from "../../core/program/language/read-program.ts";
import type { Program } from "../../core/program/language/schema.ts";
import {
  NAMED_PROGRAMS,
  type NamedProgram,
  type NamedPrograms,
  type ProgramName,
  type ProgramPut,
  type ProgramPutResult,
  type StoredProgramName,
} from "../../core/program/named-programs.ts";
import { ulid } from "../../core/run/ulid.ts";
import { canonicalJson } from "../../core/text/canonical-json.ts";
import { encodeText } from "../../core/text/file-text.ts";
import { namedProgramKey } from "../../registry/keys.ts";
import { sha256 } from "../files/digest.ts";
import type { World } from "../world.ts";

type Parts = Pick<World, "registry" | "files" | "clock" | "random">;

export function createNamedPrograms(parts: Parts): NamedPrograms {
  const { registry } = parts;
  return {
    list: async (owner) => (await registry.programNames(owner)).map(shown),
    async find(owner, called) {
      const hash = hashIn(called);
      if (hash === undefined) return readNamed(parts, owner, called);
      const found = (await registry.programNames(owner)).find((each) => each.sha256 === hash);
      return found && readNamed(parts, owner, found.name);
    },
    put: (owner, put) => putProgram(parts, owner, put),
    async remove(owner, name, expected) {
      const found = await registry.programNamed(owner, name);
      if (!found) return "absent";
      if (expected !== undefined && found.sha256 !== expected) return "replaced";
      if (!(await registry.removeProgramName(owner, found))) return "replaced";
      await parts.files.remove(found.body);
      return "removed";
    },
  };
}

const shown = ({ body: _body, ...entry }: StoredProgramName): ProgramName => entry;

async function putProgram(
  { registry, files, clock, random }: Parts,
  owner: string,
  { name, program, replaces }: ProgramPut,
): Promise<ProgramPutResult> {
  const bytes = encodeText(canonicalJson(dataOf(program)));
  const hash = sha256(bytes);
  const was = await registry.programNamed(owner, name);
  if (was?.sha256 === hash) return { put: shown(was), change: "none" };
  if (was?.sha256 !== replaces) return { conflict: was && shown(was) };
  if (!was && (await registry.programNames(owner)).length >= NAMED_PROGRAMS) throw tooMany();
  const now = clock.now();
  const body = namedProgramKey({ sha256: sha256(owner) }, { sha256: hash, id: ulid(now, random) });
  const entry = { name, sha256: hash, bytes: bytes.length, at: new Date(now).toISOString(), body };
  await files.put(body, bytes);
  if (await registry.putProgramName({ owner, entry, was })) {
    if (was) await files.remove(was.body);
    return { put: shown(entry), change: was ? "replaced" : "created" };
  }
  await files.remove(body);
  const other = await registry.programNamed(owner, name);
  return { conflict: other && shown(other) };
}

const tooMany = (): UserError =>
  new UserError(`There are ${NAMED_PROGRAMS} named programs, and no more fit. Nothing was stored.`, {
    exitCode: 2,
    remedy: { command: "program", args: ["list"], note: "shows them; program remove <name> removes one" },
  });

/** It may be replaced between the reading of its name and of its bytes. */
const TRIES = 3;

async function readNamed({ registry, files }: Parts, owner: string, name: string): Promise<NamedProgram | undefined> {
  for (let tries = 1; ; tries += 1) {
    const entry = await registry.programNamed(owner, name);
    if (!entry) return undefined;
    const bytes = await files.get(entry.body);
    if (bytes && sha256(bytes) === entry.sha256) return { ...shown(entry), program: programIn(name, bytes) };
    if (tries === TRIES) throw damaged(name, "its bytes are not those that were stored");
  }
}

function programIn(name: string, bytes: Uint8Array): Program {
  const data: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const read = readProgramData({ data, placeOf: () => undefined });
  if ("program" in read) return read.program;
  throw damaged(name, read.findings[0]?.message ?? "it cannot be read");
}

const damaged = (name: string, why: string): Damaged =>
  new Damaged(`The program \`${name}\` is damaged: ${why}.`, {
    remedy: { command: "program", args: ["remove", name], note: "removes it; then put it once more" },
  });
