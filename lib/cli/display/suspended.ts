/** Ctrl-Z in a command that draws: restores the cursor, and redraws when the command continues. */

/** Returns a function that removes the handlers. */
export function mindSuspension({ leave, redraw }: { leave: () => void; redraw: () => void }): () => void {
  // There is no Ctrl-Z of this kind, and Node does not listen for it there.
  if (process.platform === "win32") return () => {};
  const suspend = (): void => {
    leave();
    process.kill(process.pid, "SIGSTOP");
  };
  process.on("SIGTSTP", suspend);
  process.on("SIGCONT", redraw);
  return () => void process.off("SIGTSTP", suspend).off("SIGCONT", redraw);
}
