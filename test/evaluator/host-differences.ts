/** Where the two evaluators differ, as far as generated code can notice: everything else is the same on both. */

export interface HostDifference {
  what: string;
  /** On one computer, sealed. */
  here: string;
  /** In the function on AWS. */
  there: string;
}

export const HOST_DIFFERENCES: HostDifference[] = [
  {
    what: "User",
    here: "nobody, who sees the processes of its own command alone",
    there: "the function's own, who sees the function's process too",
  },
  {
    what: "Memory",
    here: "half of the computer's, 2 GB at least and 4 GB at most, for all processes together",
    there: "`evaluator.memoryMb` (2,048 MB unless configured) with the function itself",
  },
  { what: "Processors", here: "all of the computer's", there: "as many as Lambda gives for that memory" },
  { what: "Files", here: "50,000 files and folders at most", there: "as many as fit the disk of 2 GB" },
  {
    what: "/tmp",
    here: "of each command its own, 512 MB; `TMPDIR` is what commands of an evaluation share",
    there: "shared by all commands of an evaluation, within the disk of 2 GB",
  },
  {
    what: "Shared memory",
    here: "64 MB in `/dev/shm`, of each command its own",
    there: "none: the locks, queues and pools of Python's `multiprocessing` fail",
  },
  { what: "Leftovers", here: "end with the command that left them", there: "end with the evaluation" },
  { what: "Programs", here: "those of the computer", there: "those of the image" },
  {
    what: "Packages",
    here: "what the project declares is installed from the registries",
    there: "those of the image's two lists",
  },
  { what: "Pseudo-terminals", here: "can be opened", there: "not promised" },
];
