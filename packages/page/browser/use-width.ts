/** How much room an element has, for what is drawn as wide as that. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Undefined until it is measured. */
export function useWidth() {
  const measured = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const element = measured.current;
    if (!element) return;
    const measure = (): void => setWidth(Math.floor(element.clientWidth));
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { measured, width };
}
