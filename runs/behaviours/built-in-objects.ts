/**
 * Notices when a user's code has changed a built-in object of the language, and restores it: later code would fail or give other results.
 * Freezing these objects would halve the speed of a simulation.
 */

// These functions are kept before a user's code can change them. The code that restores calls no others.
const { getOwnPropertyDescriptor, defineProperty, deleteProperty, ownKeys } = Reflect;

/** A built-in object as it was: its properties by key. */
interface ObjectSnapshot {
  readonly name: string;
  readonly object: object;
  readonly keys: readonly PropertyKey[];
  readonly members: readonly PropertyDescriptor[];
}

/** The globals of the language. Others are ignored: modules set some, such as the compiler helper `__spreadArray`. */
const LANGUAGE =
  /^(?:Object|Function|Array|Number|Boolean|String|Symbol|BigInt|Date|Promise|RegExp|(?:[A-Z]\w*)?Error|[A-Z]\w*Array|ArrayBuffer|DataView|Map|Set|WeakMap|WeakSet|Proxy|Reflect|Math|JSON)$/;

function kept(name: string, object: object, of: (key: PropertyKey) => boolean = () => true): ObjectSnapshot {
  const keys = ownKeys(object).filter((key) => of(key) && getOwnPropertyDescriptor(object, key)?.configurable === true);
  return { name, object, keys, members: keys.map((key) => getOwnPropertyDescriptor(object, key) ?? {}) };
}

/** Remembers the built-in objects. The function that it returns restores changed properties and names one of them; undefined if none changed. */
export function keepBuiltIns(): () => string | undefined {
  const names = Object.getOwnPropertyNames(globalThis).filter((name) => LANGUAGE.test(name));
  const named = globalThis as unknown as Readonly<Record<string, object & { readonly prototype?: object }>>;
  const all: readonly ObjectSnapshot[] = [
    kept('globalThis', globalThis, (key) => typeof key === 'string' && LANGUAGE.test(key)),
    ...names.flatMap((name) => {
      const { [name]: object = {} } = named;
      const { prototype } = object;
      // Constructors of errors are left out: Node sets properties of stack traces on them.
      const own = name.endsWith('Error') ? [] : [kept(name, object)];
      return prototype === undefined ? own : [...own, kept(`${name}.prototype`, prototype)];
    }),
    kept('the prototype of iterators', Object.getPrototypeOf([][Symbol.iterator]()) as object),
    kept(
      'the prototype of typed arrays',
      (Object.getPrototypeOf(Uint8Array) as { readonly prototype: object }).prototype,
    ),
  ];
  const counts = all.map(({ object }) => ownKeys(object).length);
  return () => {
    let changed: string | undefined;
    for (let at = 0; at < all.length; at++) {
      const { name, object, keys, members } = all[at] as ObjectSnapshot;
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i] as PropertyKey;
        const was = members[i] as PropertyDescriptor;
        const is = getOwnPropertyDescriptor(object, key);
        if (is !== undefined && is.value === was.value && is.get === was.get) continue;
        defineProperty(object, key, was);
        changed ??= `${name}.${typeof key === 'symbol' ? 'a symbol' : key}`;
      }
      if (object !== globalThis && ownKeys(object).length !== counts[at]) changed ??= added(all[at] as ObjectSnapshot);
    }
    return changed;
  };
}

/** Takes away what was added to an object, and names it. */
function added({ name, object, keys }: ObjectSnapshot): string {
  let found = name;
  const now = ownKeys(object);
  for (let i = 0; i < now.length; i++) {
    const key = now[i] as PropertyKey;
    let isOld = false;
    for (let j = 0; j < keys.length; j++) if (keys[j] === key) isOld = true;
    if (isOld || getOwnPropertyDescriptor(object, key)?.configurable !== true) continue;
    deleteProperty(object, key);
    if (typeof key === 'string') found = `${name}.${key}`;
  }
  return found;
}
