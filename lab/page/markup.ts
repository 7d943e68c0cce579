/** Templates of markup, and a hook that draws a component again when a signal changes. The one file that binds htm, preact and signals. */

import { effect } from '@preact/signals-core';
import htm from 'htm';
import { h, type VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export { Fragment, render, type VNode } from 'preact';
export { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

// The types of htm are those of a CommonJS module, which it is not.
const template = (htm as unknown as typeof htm.default).bind(h);

/** A template of markup. Text in it is text: nothing of this page is ever parsed as HTML. */
export const html = template as (strings: TemplateStringsArray, ...values: readonly unknown[]) => VNode;

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
