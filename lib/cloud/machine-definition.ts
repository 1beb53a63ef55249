/** The definition of the stack's state machine: the control unit, or a program compiled into it. */
import { resolve } from "node:path";
import { readControlUnit } from "../files/control-unit.ts";
import { compileFile } from "../files/program/compile-file.ts";
import { projectFile } from "../files/project-files.ts";
import type { CloudConfig } from "./config.ts";

/** It is part of the template, with escapes, and CloudFormation takes 1 MiB. */
const DEFINITION_BYTES = 400_000;

/** Runs of other programs are executed by its general states, so that a stack needs one machine alone. */
export const machineDefinition = ({ program }: Pick<CloudConfig, "program">): string =>
  program === undefined
    ? readControlUnit()
    : compileFile(resolve(projectFile("."), program), [], DEFINITION_BYTES).text;
