/** The routes: one line each, and one file each. Nothing of a route is loaded before its first request. */
import type { Route, RouteAddress } from "./route.ts";

export const routes: RouteAddress[] = [
  { method: "GET", path: "/server", load: async () => (await import("./routes/server.ts")).server },
  { method: "GET", path: "/signing-key", load: async () => (await import("./routes/signing-key.ts")).signingKey },
  { method: "POST", path: "/runs", load: async () => (await import("./routes/submit.ts")).submit },
  { method: "GET", path: "/runs", load: async () => (await import("./routes/list-runs.ts")).listRuns },
  { method: "POST", path: "/uploads", load: async () => (await import("./routes/upload.ts")).upload },
  { method: "GET", path: "/runs/{id}", load: async () => (await import("./routes/show-run.ts")).showRun },
  { method: "GET", path: "/runs/{id}/task", load: async () => (await import("./routes/task.ts")).task },
  {
    method: "GET",
    path: "/runs/{id}/requirements",
    load: async () => (await import("./routes/requirements.ts")).requirements,
  },
  { method: "GET", path: "/runs/{id}/program", load: async () => (await import("./routes/program.ts")).showProgram },
  { method: "PUT", path: "/runs/{id}/program", load: async () => (await import("./routes/program.ts")).putProgram },
  { method: "GET", path: "/runs/{id}/events", load: async () => (await import("./routes/events.ts")).events },
  { method: "GET", path: "/runs/{id}/files", load: async () => (await import("./routes/files.ts")).files },
  { method: "GET", path: "/runs/{id}/file", load: async () => (await import("./routes/file.ts")).file },
  { method: "GET", path: "/runs/{id}/turns", load: async () => (await import("./routes/turns.ts")).turns },
  {
    method: "GET",
    path: "/runs/{id}/turns/{instruction}/{turn}",
    load: async () => (await import("./routes/turn.ts")).turn,
  },
  { method: "GET", path: "/runs/{id}/output", load: async () => (await import("./routes/output.ts")).output },
  { method: "GET", path: "/runs/{id}/manifest", load: async () => (await import("./routes/manifest.ts")).manifest },
  { method: "GET", path: "/runs/{id}/evidence", load: async () => (await import("./routes/evidence.ts")).evidence },
  { method: "POST", path: "/runs/{id}/waivers", load: async () => (await import("./routes/evidence.ts")).waivers },
  { method: "POST", path: "/runs/{id}/cancel", load: async () => (await import("./routes/cancel.ts")).cancel },
  { method: "POST", path: "/runs/{id}/approve", load: async () => (await import("./routes/approve.ts")).approve },
  { method: "POST", path: "/runs/{id}/revise", load: async () => (await import("./routes/revise.ts")).revise },
  { method: "POST", path: "/runs/{id}/answers", load: async () => (await import("./routes/answer.ts")).answer },
  { method: "POST", path: "/runs/{id}/resume", load: async () => (await import("./routes/resume.ts")).resume },
  { method: "POST", path: "/runs/{id}/back", load: async () => (await import("./routes/back.ts")).back },
  { method: "POST", path: "/runs/{id}/fork", load: async () => (await import("./routes/fork.ts")).fork },
  { method: "POST", path: "/runs/{id}/make", load: async () => (await import("./routes/make.ts")).make },
  { method: "DELETE", path: "/runs/{id}", load: async () => (await import("./routes/delete-run.ts")).deleteRun },
  { method: "GET", path: "/programs", load: async () => (await import("./routes/named-programs.ts")).listPrograms },
  {
    method: "GET",
    path: "/programs/{name}",
    load: async () => (await import("./routes/named-programs.ts")).showNamedProgram,
  },
  {
    method: "PUT",
    path: "/programs/{name}",
    load: async () => (await import("./routes/named-programs.ts")).nameProgram,
  },
  {
    method: "DELETE",
    path: "/programs/{name}",
    load: async () => (await import("./routes/named-programs.ts")).removeProgram,
  },
];

/** All of them, with their addresses. */
export const loadRoutes = (): Promise<(Route & RouteAddress)[]> =>
  Promise.all(routes.map(async (address) => ({ ...address, ...(await address.load()) })));
