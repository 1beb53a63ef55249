/** The OpenAPI document, derived from the schemas of the routes. */
import * as z from "zod";
import { Budget } from "../core/run/option-forms.ts";
import { RunAccepted, RunLinks, RunView } from "./answers.ts";
import { PROBLEM_TYPE, Problem } from "./problem.ts";
import type { Answer, Route, RouteAddress } from "./route.ts";

type Json = Record<string, unknown>;

const COMPONENTS = { Problem, Run: RunView, RunAccepted, RunLinks, Budget };

type AddressedRoute = Route & RouteAddress;

export function openApiDocument(routes: AddressedRoute[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "L2MAC",
      version: "1",
      description: "Submits tasks, follows their runs, and fetches what they make.",
    },
    paths,
    components: { schemas: componentSchemas() },
  };
}

/** Every route of a run: another version wrote the run, or stored data is damaged. */
const OF_ANY_RUN = [409, 500];

function operationOf({ name, description, body, answers, problems, ...route }: AddressedRoute): Json {
  const content = body && { "application/json": { schema: schemaOf(body, "input") } };
  const refusals = [...problems, ...(route.path.includes("{id}") ? OF_ANY_RUN : [])].map((status) => [
    String(status),
    { description: "A problem.", content: { [PROBLEM_TYPE]: { schema: reference("Problem") } } },
  ]);
  return {
    operationId: name,
    summary: description,
    parameters: parametersOf(route),
    ...(content ? { requestBody: { required: !z.safeParse(body, {}).success, content } } : {}),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)])),
      ...Object.fromEntries(refusals),
    },
  };
}

function parametersOf({
  path,
  params = {},
  query,
  headers = {},
}: Pick<AddressedRoute, "path" | "params" | "query" | "headers">) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: params[name] ? schemaOf(params[name], "input") : { type: "string" },
  }));
  const shape: Record<string, z.core.$ZodType> = query?.shape ?? {};
  const inQuery = Object.entries(shape).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema: schemaOf(schema, "input"),
  }));
  const inHeader = Object.entries(headers).map(([name, { description, required }]) => ({
    name,
    in: "header",
    required,
    description,
    schema: { type: "string" },
  }));
  return [...inPath, ...inQuery, ...inHeader];
}

function responseOf({ description, schema }: Answer): Json {
  if (!schema) return { description };
  return { description, content: { "application/json": { schema: schemaOf(schema, "output") } } };
}

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Named schemas become references, also inside other schemas. */
function schemaOf(schema: z.core.$ZodType, io: "input" | "output"): Json {
  const named = Object.entries(COMPONENTS).find(([, known]) => known === schema);
  if (named) return reference(named[0]);
  const { $schema: _schema, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return plain;
}

function componentSchemas(): Json {
  const known = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(COMPONENTS)) known.add(schema, { id });
  const { schemas } = z.toJSONSchema(known, { uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _schema, $id: _id, ...schema }]) => [id, schema]),
  );
}
