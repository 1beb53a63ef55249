/** The state machine of every run: the control unit. */
import { readFileSync } from "node:fs";
import { projectFile } from "./project-files.ts";

export const readControlUnit = (): string => readFileSync(projectFile("statemachine/control-unit.asl.json"), "utf8");
