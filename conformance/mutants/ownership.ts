/** Mistakes in the messages by which wallets are proved to be owned, at registration and in links: each form by itself. */
import type { Mutant } from './mutant.js';

const FILE = 'reference/registry/wallet-ownership';
const VERIFIED = 'return kinds[word].verifies(proof.address, message, proof.signature);';

const words = [
  ['register', 'register/self-custody', 'register.self-custody.message'],
  ['register-operator', 'register/operator', 'register.operator.message'],
  ['register-ethereum', 'register/ethereum', 'register.ethereum.message'],
  ['link-wallet', 'wallet/self-custody', 'wallet.self-custody.message'],
  ['link-wallet-operator', 'wallet/operator', 'wallet.operator.message'],
] as const;

/** The messages to be signed, each with the name of a mistake, its title and the text that the mutant takes. */
const messages = [
  ['of-another-word', 'has another word', "message.replace(word, 'sign')"],
  ['without-nonce', 'has no nonce', "message.replace(proof.nonce, '')"],
  ['without-subject', 'has no subject', "message.replace(proof.subject, '')"],
  ['without-address', 'has no address', "message.replace(proof.address, '')"],
  [
    'subject-in-lower-case',
    'has its subject in lower case',
    'message.replace(proof.subject, proof.subject.toLowerCase())',
  ],
  ['subject-cut', 'has 32 characters of its subject', 'message.replace(proof.subject, proof.subject.slice(0, 32))'],
  [
    'address-in-lower-case',
    'has its address in lower case',
    'message.replace(proof.address, proof.address.toLowerCase())',
  ],
  ['in-ascii', 'has a question mark for each character beyond ASCII', "message.replaceAll(/[^ -~]/gu, '?')"],
] as const;

/**
 * A link's subject is a hash. Hex of either case is the same key or address: in which case it is signed is D-46's to say, and so is
 * whether the spaces around a name are. A base58 address in lower case is another one.
 */
function isSame(word: string, mistake: string): boolean {
  if (mistake === 'address-in-lower-case') return !word.endsWith('operator');
  return word.startsWith('link') && ['subject-in-lower-case', 'in-ascii'].includes(mistake);
}

export const ownershipMutants: readonly Mutant[] = words.flatMap(([word, id, clause]) => [
  {
    id: `${id}-unsigned`,
    title: `any signature is accepted in ${word}`,
    clause,
    patch: { file: FILE, before: VERIFIED, after: `if (word === '${word}') return true;\n    ${VERIFIED}` },
  },
  {
    id: `${id}-signed-by-anything-before`,
    title: `a signature over the message of another form is accepted in ${word}`,
    clause,
    patch: {
      file: FILE,
      before: VERIFIED,
      after: `if (word === '${word}' && Object.keys(kinds).some((other) => kinds[word].verifies(proof.address, message.replace(word, other), proof.signature))) return true;\n    ${VERIFIED}`,
    },
  },
  ...messages
    .filter(([mistake]) => !isSame(word, mistake))
    .map(([mistake, title, message]) => ({
      id: `${id}-message-${mistake}`,
      title: `the message of ${word} ${title}`,
      clause,
      patch: {
        file: FILE,
        before: VERIFIED,
        after: `return kinds[word].verifies(proof.address, word === '${word}' ? ${message} : message, proof.signature);`,
      },
    })),
]);
