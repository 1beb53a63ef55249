/** A JSON Schema in a program: the keywords that decide what a value is. Others are kept as they are. */
import * as z from "zod";

const TypeName = z.enum(["string", "number", "integer", "boolean", "object", "array", "null"]);

const Types = z.union(
  [TypeName, z.array(TypeName).min(1)],
  `the type of a JSON Schema is one of ${TypeName.options.join(", ")}, or a list of them`,
);

export const OutputSchema = z.looseObject({
  type: Types.optional(),
  required: z.array(z.string()).optional(),
  enum: z.array(z.json()).min(1).optional(),
  get properties(): z.ZodOptional<z.ZodRecord<z.ZodString, typeof Part>> {
    return z.optional(z.record(z.string(), Part));
  },
  get items(): z.ZodOptional<typeof Part> {
    return z.optional(Part);
  },
});

const Part = z.union([z.boolean(), OutputSchema], "a JSON Schema is a set of fields, or true or false");
