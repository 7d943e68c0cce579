/** Saves a text as a file on the machine of the user, by a download. */

/** Offers a text as a download under a name, as its bytes are. */
export function saveFile(name: string, text: string): void {
  const link = document.createElement('a');
  link.download = name;
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  link.click();
  URL.revokeObjectURL(link.href);
}
