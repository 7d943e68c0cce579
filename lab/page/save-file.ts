/** Saves a text or bytes as a file on the machine of the user, by a download. */

/** Offers a text or bytes as a download under a name, as its bytes are. */
export function saveFile(name: string, content: string | Uint8Array<ArrayBuffer>): void {
  const link = document.createElement('a');
  link.download = name;
  link.href = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  link.click();
  URL.revokeObjectURL(link.href);
}
