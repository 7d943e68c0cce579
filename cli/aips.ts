#!/usr/bin/env node
/**
 * The program `aips`: refuses a Node that is too old, then hands over to main.ts. It imports nothing of ours before
 * that, since an older Node would stop at an import without any message.
 */

const NODE_MIN = [20, 19] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1])) {
  console.error(`aips needs Node ${NODE_MIN.join('.')} or newer; this is ${process.versions.node}.`);
  process.exit(2);
}
const { main } = await import('./main.js');
try {
  await main(process.argv.slice(2));
} catch (error) {
  // A bug of this program is not a verdict; status 1 would mean that a failure was judged.
  console.error(error);
  process.exit(2);
}

export {};
