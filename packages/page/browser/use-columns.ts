/** The widths of the columns: remembered in this browser. */
import { useState } from "preact/hooks";
import { type Column, readWidth } from "../column-widths.ts";

const kept = (column: Column): string => `l2mac-width-${column}`;

export type Resize = (column: Column, width: number) => void;

export function useColumns() {
  const [program, setProgram] = useState(() => readWidth("program", localStorage.getItem(kept("program"))));
  const [files, setFiles] = useState(() => readWidth("files", localStorage.getItem(kept("files"))));
  const resize: Resize = (column, width) => {
    (column === "program" ? setProgram : setFiles)(width);
    localStorage.setItem(kept(column), String(width));
  };
  const style = { "--program-width": `${program}rem`, "--files-width": `${files}rem` };
  return [{ program, files, style }, resize] as const;
}
