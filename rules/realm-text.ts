/**
 * The two scripts of a realm of rules (rule-module.ts), as text: the first takes from it what would differ between two calls or two machines, the
 * second makes a call. Both run in strict mode, in the realm alone.
 */

/** Global names that stay. Without the others there is no clock, no language and no shared memory. */
const KEPT =
  /^(?:globalThis|ruleModule|undefined|NaN|Infinity|Object|Function|Array|Number|BigInt|String|Boolean|Symbol|Math|JSON|Reflect|Proxy|Map|Set|WeakMap|WeakSet|RegExp|Error|\w+Error|isNaN|isFinite|parseInt|parseFloat)$/;
/** Functions of Math that IEEE 754 fixes to the last bit. */
const EXACT = /^(?:abs|ceil|clz32|floor|fround|imul|max|min|round|sign|sqrt|trunc)$/;

/** Takes away what differs, and freezes every object that two calls would share. */
export const PREPARE = `'use strict';
for (const name of Object.getOwnPropertyNames(globalThis)) if (!${KEPT}.test(name)) delete globalThis[name];
for (const name of Object.getOwnPropertyNames(Math)) {
  if (typeof Math[name] !== 'function' || ${EXACT}.test(name)) continue;
  Math[name] = () => { throw new Error('Math.' + name + ' is not the same on every machine: a rule computes with + - * /, BigInt and exact functions'); };
}
for (const name of Object.getOwnPropertyNames(RegExp)) if (!/^(?:prototype|length|name)$/.test(name)) delete RegExp[name];
for (const { prototype } of [Object, Array, Number, BigInt, String])
  for (const name of Object.getOwnPropertyNames(prototype)) if (/locale|normalize/i.test(name)) delete prototype[name];
Error.stackTraceLimit = 0;
globalThis.asked = '';
const seen = new Set();
const freeze = (object) => {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null || seen.has(object)) return;
  seen.add(object);
  for (const key of Reflect.ownKeys(object)) {
    const member = Reflect.getOwnPropertyDescriptor(object, key);
    for (const inner of [member.value, member.get, member.set]) freeze(inner);
  }
  freeze(Reflect.getPrototypeOf(object));
  if (object !== globalThis) Object.freeze(object);
};
freeze(globalThis);
for (const syntax of [function* () {}, async () => {}, async function* () {}, [].values(), new Map().keys(), new Set().keys(), ''[Symbol.iterator](), 'a'.matchAll(/a/g)])
  freeze(Reflect.getPrototypeOf(syntax));
for (const name of Object.getOwnPropertyNames(globalThis))
  if (name !== 'asked') Object.defineProperty(globalThis, name, { writable: false, configurable: false });
Object.preventExtensions(globalThis);
`;

/**
 * Makes a call: a function of the module, which it is given, and of \`asked\`, a JSON text. Its answer is a JSON text too, so that no object
 * leaves the realm: the value as text, and the paths of the numbers that were read; or what is wrong.
 */
export const CALL = `(module) => {
  const { name, given, numbers } = JSON.parse(globalThis.asked);
  const read = [];
  const watched = (node, prefix) => {
    const shown = {};
    for (const key of Object.keys(node)) {
      const inner = typeof node[key] === 'object' ? watched(node[key], prefix + key + '.') : node[key];
      const get = () => { if (typeof inner === 'number') read.push(prefix + key); return inner; };
      Object.defineProperty(shown, key, { get, enumerable: true });
    }
    return Object.freeze(shown);
  };
  try {
    const rules = module();
    if (typeof rules !== 'object' || rules === null) return JSON.stringify({ fault: 'must have "export default { … }" with a function by the name of each formula' });
    const names = Object.keys(rules);
    if (name === null) return JSON.stringify({ names, other: names.filter((each) => typeof rules[each] !== 'function') });
    const rule = rules[name];
    const value = rule(Object.freeze(given), watched(numbers, ''));
    if (typeof value !== 'number' && typeof value !== 'bigint') return JSON.stringify({ fault: 'gives ' + (value === null ? 'null' : typeof value) + ' and no number' });
    if (value !== value) return JSON.stringify({ fault: 'gives NaN' });
    return JSON.stringify({ value: String(value), read: [...new Set(read)] });
  } catch (error) {
    let text = 'something';
    try { text = String(error); } catch { text = 'something'; }
    return JSON.stringify({ fault: 'throws ' + text.slice(0, 300) });
  }
}`;
