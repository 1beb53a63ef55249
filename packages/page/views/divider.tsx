/** Between two columns: dragged, or moved by the arrow keys; Enter brings the usual width back. */
import type { Resize } from "../browser/use-columns.ts";
import { boundWidth, type Column, NARROWEST, WIDEST, widthAfterKey } from "../column-widths.ts";

interface DividerProps {
  column: Column;
  width: number;
  resize: Resize;
}

export function Divider({ column, width, resize }: DividerProps) {
  function press(event: KeyboardEvent): void {
    const to = widthAfterKey(column, width, event.key);
    if (to === undefined) return;
    event.preventDefault();
    resize(column, to);
  }

  function drag(event: PointerEvent & { currentTarget: HTMLElement }): void {
    const { currentTarget: handle, clientX: from, pointerId } = event;
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const outwards = column === "program" ? 1 : -1;
    const ending = new AbortController();
    const { signal } = ending;
    handle.setPointerCapture(pointerId);
    const move = ({ clientX }: PointerEvent): void =>
      resize(column, boundWidth(width + (outwards * (clientX - from)) / rem));
    handle.addEventListener("pointermove", move, { signal });
    handle.addEventListener("lostpointercapture", () => ending.abort(), { signal });
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: one that is moved is a widget, and not a break in a text
    <div
      role="separator"
      tabIndex={0}
      class={`divider ${column}`}
      aria-orientation="vertical"
      aria-label={`Width of the column ${column === "program" ? "Program" : "Files"}`}
      aria-valuenow={width}
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      onKeyDown={press}
      onPointerDown={drag}
    />
  );
}
