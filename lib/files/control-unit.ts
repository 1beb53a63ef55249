/** The state machine that the project has: the control unit, of every run that no compiled machine executes. */
import { readFileSync } from "node:fs";
import { projectFile } from "./project-files.ts";

export const readControlUnit = (): string => readFileSync(projectFile("statemachine/control-unit.asl.json"), "utf8");
