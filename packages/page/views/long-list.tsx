/** A list of rows of one height. Of a long one only what is in sight is there, so that it costs what a short one costs. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export interface LongListProps {
  label: string;
  class: string;
  count: number;
  /** Of a row, in rem. */
  height: number;
  /** The row that is to be in sight; a new one is brought there. */
  current?: number;
  row: (index: number) => ComponentChildren;
}

/** So many are shown as they are: a browser finds words in them, and a screen reader counts them. */
const SHORT = 200;
const BEYOND = 12;

export function LongList({ label, class: name, count, height, current = -1, row }: LongListProps) {
  const list = useRef<HTMLOListElement>(null);
  const [from, to] = useWindow(list, { count, height });
  useEffect(() => bringIntoSight(list.current, current * pixels(height), pixels(height)), [current, height]);
  return (
    <ol
      ref={list}
      class={name}
      aria-label={label}
      style={{ paddingTop: `${from * height}rem`, paddingBottom: `${(count - to) * height}rem` }}
    >
      {Array.from({ length: to - from }, (_, offset) => (
        <li
          key={from + offset}
          style={{ height: `${height}rem` }}
          aria-setsize={count}
          aria-posinset={from + offset + 1}
        >
          {row(from + offset)}
        </li>
      ))}
    </ol>
  );
}

const pixels = (rem: number): number => rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

type List = { current: HTMLOListElement | null };

function useWindow(list: List, { count, height }: { count: number; height: number }): [number, number] {
  const [first, setFirst] = useState(0);
  const [room, setRoom] = useState(40);
  useEffect(() => {
    const scroller = list.current?.parentElement?.closest<HTMLElement>("nav, section");
    if (!scroller || count <= SHORT) return;
    const look = (): void => {
      if (!list.current) return;
      const row = pixels(height);
      const above = scroller.getBoundingClientRect().top - list.current.getBoundingClientRect().top;
      setFirst(Math.max(0, Math.floor(above / row)));
      setRoom(Math.ceil(scroller.clientHeight / row));
    };
    look();
    scroller.addEventListener("scroll", look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(scroller);
    return () => {
      scroller.removeEventListener("scroll", look);
      sizes.disconnect();
    };
  }, [list, count, height]);
  if (count <= SHORT) return [0, count];
  const from = Math.min(Math.max(0, first - BEYOND), Math.max(0, count - room));
  return [from, Math.min(count, first + room + BEYOND)];
}

function bringIntoSight(list: HTMLElement | null, at: number, row: number): void {
  const scroller = list?.parentElement?.closest<HTMLElement>("nav, section");
  if (!list || !scroller || at < 0) return;
  const top = list.getBoundingClientRect().top - scroller.getBoundingClientRect().top + at;
  if (top >= 0 && top + row <= scroller.clientHeight) return;
  scroller.scrollTop += top - scroller.clientHeight / 2;
}
