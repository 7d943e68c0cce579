/** Returns the focus to the link or button that opened a panel, when the panel closes. */

import { useEffect, useRef } from './markup.js';

/**
 * Notes the link of the page that was followed last outside a panel. The returned function gives it the focus: or the link to the same place,
 * where it was drawn again meanwhile; without either the content of the page has it.
 */
export function useOpener(): () => void {
  const opener = useRef<HTMLAnchorElement | null>(null);
  useEffect(() => {
    const note = (event: Event): void => {
      const link =
        event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('main a[href^="#"]') : null;
      if (link !== null && link.closest('.detail') === null) opener.current = link;
    };
    addEventListener('click', note, true);
    return () => removeEventListener('click', note, true);
  }, []);
  return () => {
    const known = opener.current;
    const links = [...document.querySelectorAll<HTMLAnchorElement>('main a[href^="#"]')];
    const same = links.find((link) => link.hash === known?.hash && link.closest('.detail') === null);
    const to = known?.isConnected === true ? known : (same ?? document.getElementById('main'));
    to?.focus();
  };
}
