/** The whole environment of a command that runs generated code: made up here, so there is nothing of ours to read. */

export function commandEnvironment(workspace: { path: string; home: string; tmp: string }): Record<string, string> {
  return {
    PATH: workspace.path,
    HOME: workspace.home,
    TMPDIR: workspace.tmp,
    LANG: "C.UTF-8",
    TZ: "UTC",
    CI: "1",
    PYTHONHASHSEED: "0",
    PYTHONDONTWRITEBYTECODE: "1",
    PYTHONUNBUFFERED: "1",
  };
}
