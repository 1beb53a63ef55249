/** The routes: one line each, and one file each. */
import type { Route } from "./route.ts";
import { answer } from "./routes/answer.ts";
import { approve } from "./routes/approve.ts";
import { back } from "./routes/back.ts";
import { cancel } from "./routes/cancel.ts";
import { deleteRun } from "./routes/delete-run.ts";
import { events } from "./routes/events.ts";
import { evidence, waivers } from "./routes/evidence.ts";
import { file } from "./routes/file.ts";
import { files } from "./routes/files.ts";
import { fork } from "./routes/fork.ts";
import { listRuns } from "./routes/list-runs.ts";
import { make } from "./routes/make.ts";
import { bom, manifest } from "./routes/manifest.ts";
import { listPrograms, nameProgram, removeProgram, showNamedProgram } from "./routes/named-programs.ts";
import { output } from "./routes/output.ts";
import { putProgram, showProgram } from "./routes/program.ts";
import { requirements } from "./routes/requirements.ts";
import { resume } from "./routes/resume.ts";
import { revise } from "./routes/revise.ts";
import { server } from "./routes/server.ts";
import { showRun } from "./routes/show-run.ts";
import { signingKey } from "./routes/signing-key.ts";
import { submit } from "./routes/submit.ts";
import { task } from "./routes/task.ts";
import { turn } from "./routes/turn.ts";
import { turns } from "./routes/turns.ts";
import { upload } from "./routes/upload.ts";

export const routes: Route[] = [
  server,
  signingKey,
  submit,
  listRuns,
  upload,
  showRun,
  task,
  requirements,
  showProgram,
  putProgram,
  events,
  files,
  file,
  turns,
  turn,
  output,
  manifest,
  bom,
  evidence,
  waivers,
  cancel,
  approve,
  revise,
  answer,
  resume,
  back,
  fork,
  make,
  deleteRun,
  listPrograms,
  showNamedProgram,
  nameProgram,
  removeProgram,
];
