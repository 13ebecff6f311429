/** A component that is loaded when it is first shown. */
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { tellError } from "./notices";

export interface LateComponent<P> {
  (given: P): ComponentChildren;
  /** Loads its code now, so that it is there at once when it is first shown. */
  preload: () => Promise<void>;
}

/** Returns a component that shows `meanwhile` until its code is here. */
export function late<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: ComponentChildren = null,
): LateComponent<P> {
  let loaded: ComponentType<P> | null = null;
  const keep = async (): Promise<void> => void (loaded ??= await load());
  function Late(given: P) {
    const [Part, set] = useState(() => loaded);
    useEffect(() => {
      if (!Part) keep().then(() => set(() => loaded), tellError);
    }, []);
    return Part ? <Part {...given} /> : <>{meanwhile}</>;
  }
  return Object.assign(Late, { preload: keep });
}
