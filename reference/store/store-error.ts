/**
 * Why a store cannot be used: a sentence that names the file and the place, and says what to do. The user can fix it;
 * it is no bug of the store.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** A part of the store is not as it was written, or leads to another state than it did. */
export class StoreDamage extends StoreError {}

/** This process may no longer be the only one that uses a folder, so it must not change it. */
export class LockLost extends StoreError {}
