/** The options of evidence. Pure. */
import * as z from "zod";
import { optionRows } from "../run/option-row.ts";
import { EXPECTED_MODELS, isModelList } from "../turn/model-list.ts";
import { EvidenceKind } from "./evidence-kind.ts";

export const evidenceOptions = {
  evidence: EvidenceKind.default("own").register(optionRows, {
    flag: "--evidence",
    argument: "KIND",
    group: "execution",
    description: "Prove requirements by checks: off, own, independent, strict",
  }),
};

/** Its profile is stored with the run, as that of the run's own model is. */
export const examinerOptions = {
  examinerModel: z.string().min(1).max(1_000).refine(isModelList, `expected ${EXPECTED_MODELS}`).register(optionRows, {
    flag: "--examiner-model",
    argument: "M[,M…]",
    group: "execution",
    description: "The model that writes independent or strict checks (default: the run's)",
  }),
};
