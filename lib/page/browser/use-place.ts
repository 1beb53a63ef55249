/** The address of the page, and going elsewhere in it: back and forward work as everywhere. */
import { useEffect, useState } from "preact/hooks";
import { hashOf, type Place, placeIn } from "../place.ts";

export function usePlace(): [Place, (place: Place) => void] {
  const [place, setPlace] = useState(() => placeIn(location.hash));
  useEffect(() => {
    const changed = (): void => setPlace(placeIn(location.hash));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return [
    place,
    (next) => {
      location.hash = hashOf(next);
    },
  ];
}
