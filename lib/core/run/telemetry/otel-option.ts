/** The option that names a collector of spans. Pure. */
import * as z from "zod";
import { optionRows } from "../option-row.ts";

export const otelOption = {
  otel: z.string().trim().min(1).register(optionRows, {
    flag: "--otel",
    argument: "URL",
    group: "execution",
    description: "Send spans to this collector; else to OTEL_EXPORTER_OTLP_ENDPOINT",
  }),
};
