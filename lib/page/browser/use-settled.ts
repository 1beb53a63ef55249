/** A value as it is once it no longer changes from moment to moment: for what is too slow to be made at each of them. */
import { useEffect, useState } from "preact/hooks";

export function useSettled<Value>(value: Value, milliseconds: number): Value {
  const [settled, setSettled] = useState(() => value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
