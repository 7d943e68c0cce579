/** Buttons that copy the commands of a page. Without scripts, a user selects the command by hand. */

function copy(button: HTMLButtonElement, pre: HTMLElement): void {
  const done = (): void => {
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  };
  const select = (): void => {
    const range = document.createRange();
    range.selectNodeContents(pre);
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
    if (document.execCommand('copy')) done();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(pre.textContent ?? '').then(done, select);
  else select();
}

/** Adds a copy button to each command below `root`. */
export function addCopyButtons(root: ParentNode): void {
  for (const script of root.querySelectorAll('.script')) {
    const pre = script.querySelector('pre');
    if (pre === null || script.querySelector('button') !== null) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', () => copy(button, pre));
    script.append(button);
  }
}
