/** The templates of all views, and a hook that draws a component again when a signal changes. */

import { effect } from '@preact/signals-core';
import { useEffect, useRef, useState } from 'preact/hooks';

export { Fragment, render, type VNode } from 'preact';
export { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
export { html } from '../../reports/views/markup.js';

/** A value of signals; the component is drawn again when it changes. */
export function useLive<T>(read: () => T): T {
  const [, draw] = useState(0);
  const value = read();
  const drawn = useRef(value);
  drawn.current = value;
  useEffect(
    () =>
      effect(() => {
        // It may have changed between the drawing and this effect, too.
        if (!Object.is(read(), drawn.current)) draw((n) => n + 1);
      }),
    [],
  );
  return value;
}
