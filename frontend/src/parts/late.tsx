/** A component that is loaded when it is first shown. */
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { tellError } from "./notices";

/** Returns a component that shows `meanwhile` until its code is here. */
export function late<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: ComponentChildren = null,
): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  return function Late(given: P) {
    const [Part, set] = useState(() => loaded);
    useEffect(() => {
      if (!Part) load().then((part) => set(() => (loaded = part)), tellError);
    }, []);
    return Part ? <Part {...given} /> : <>{meanwhile}</>;
  };
}
