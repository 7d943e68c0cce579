/**
 * The language of formulas: numbers, names, + - * /, parentheses, and min, max, floor, ceil and pow. A formula is data: it has no loops, no
 * assignments and no code. The formulas of the protocol and their names are in formulas.ts.
 */

import * as R from './rational.js';

/** A formula that was read: it gives a value for each way to look up its names. */
export interface Expression {
  readonly names: readonly string[];
  readonly evaluate: (numberOf: (name: string) => number) => R.Rational;
  /** Whether it divides by zero somewhere, even where a min hides that. */
  readonly dividesByZero: (numberOf: (name: string) => number) => boolean;
}

/** A formula, or the first fault in it, with the position of its first character, from 1. */
type ParsedExpression =
  | { readonly ok: true; readonly expression: Expression }
  | {
      readonly ok: false;
      readonly position: number;
      readonly message: string;
      /** The name that the formula does not know, where that is the fault. */
      readonly unknown?: string | undefined;
    };

/** Longer or deeper formulas are refused. */
const EXPRESSION_CHARS_MAX = 400;
const EXPRESSION_DEPTH_MAX = 20;

type Evaluate = Expression['evaluate'];

/** Functions of two arguments or more, of which the first two are joined, then the third, and so on. */
const JOINING = {
  min: (a: R.Rational, b: R.Rational) => R.chosen(a, b, 'min'),
  max: (a: R.Rational, b: R.Rational) => R.chosen(a, b, 'max'),
} as const;
const ROUNDING = { floor: R.floor, ceil: R.ceil } as const;
const FUNCTIONS = ['min', 'max', 'floor', 'ceil', 'pow'] as const;
type FunctionName = (typeof FUNCTIONS)[number];

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|([-+*/(),]))/y;

interface Token {
  readonly kind: 'number' | 'name' | 'sign' | 'end';
  readonly text: string;
  readonly position: number;
}

class Fault extends Error {
  constructor(
    readonly position: number,
    message: string,
    readonly unknown?: string,
  ) {
    super(message);
  }
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  for (;;) {
    const from = pattern.lastIndex;
    const found = pattern.exec(text);
    if (found === null) {
      const rest = text.slice(from);
      const at = from + rest.length - rest.trimStart().length;
      if (at < text.length) throw new Fault(at + 1, `${text[at]} is no part of a formula`);
      tokens.push({ kind: 'end', text: '', position: text.length + 1 });
      return tokens;
    }
    const [matched, number, name, sign] = found;
    const kind = number !== undefined ? 'number' : name !== undefined ? 'name' : 'sign';
    const word = number ?? name ?? sign ?? '';
    tokens.push({ kind, text: word, position: from + matched.length - word.length + 1 });
  }
}

/** A decimal number as an exact fraction. */
function decimal(text: string): R.Rational {
  const [whole = '', fraction = ''] = text.split('.');
  return { above: BigInt(whole + fraction), below: 10n ** BigInt(fraction.length) };
}

/** Reads tokens by recursive descent: sums of products of values. */
class Reader {
  readonly names = new Set<string>();
  readonly divisors: Evaluate[] = [];
  readonly #tokens: readonly Token[];
  readonly #known: ReadonlySet<string>;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], known: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#known = known;
  }

  whole(): Evaluate {
    const value = this.#sum();
    const { kind, text, position } = this.#next();
    if (kind !== 'end') throw new Fault(position, `${text} is unexpected: an operator or the end should stand there`);
    return value;
  }

  #next(): Token {
    const token = this.#tokens[this.#at] as Token;
    if (token.kind !== 'end') this.#at += 1;
    return token;
  }

  #takes(sign: string): boolean {
    const { kind, text } = this.#tokens[this.#at] as Token;
    if (kind !== 'sign' || text !== sign) return false;
    this.#at += 1;
    return true;
  }

  #sum(): Evaluate {
    let value = this.#product();
    for (;;) {
      const [left, plus] = [value, this.#takes('+')];
      if (!plus && !this.#takes('-')) return value;
      const right = this.#product();
      value = plus ? (of) => R.add(left(of), right(of)) : (of) => R.add(left(of), R.negative(right(of)));
    }
  }

  #product(): Evaluate {
    let value = this.#value();
    for (;;) {
      const [left, star] = [value, this.#takes('*')];
      if (!star && !this.#takes('/')) return value;
      const right = this.#value();
      if (!star) this.divisors.push(right);
      value = star ? (of) => R.times(left(of), right(of)) : (of) => R.over(left(of), right(of));
    }
  }

  #value(): Evaluate {
    const token = this.#next();
    const { kind, text, position } = token;
    this.#depth += 1;
    if (this.#depth > EXPRESSION_DEPTH_MAX) throw new Fault(position, `is deeper than ${EXPRESSION_DEPTH_MAX} levels`);
    const value = this.#of(token);
    this.#depth -= 1;
    if (value === undefined)
      throw new Fault(
        position,
        `${kind === 'end' ? 'the end' : text} is unexpected: a number, a name or ( should stand there`,
      );
    return value;
  }

  #of({ kind, text, position }: Token): Evaluate | undefined {
    if (kind === 'number') {
      const number = decimal(text);
      return () => number;
    }
    if (kind === 'name') {
      if ((FUNCTIONS as readonly string[]).includes(text)) return this.#call(text as FunctionName, position);
      if (!this.#known.has(text)) throw new Fault(position, `${text} is no name of this formula`, text);
      this.names.add(text);
      return (of) => R.exact(of(text));
    }
    if (text === '-') {
      const value = this.#value();
      return (of) => R.negative(value(of));
    }
    if (text !== '(') return undefined;
    const value = this.#sum();
    this.#close();
    return value;
  }

  #close(): void {
    const { position } = this.#tokens[this.#at] as Token;
    if (!this.#takes(')')) throw new Fault(position, 'a ) should stand there');
  }

  #call(name: FunctionName, position: number): Evaluate {
    if (!this.#takes('(')) throw new Fault(position, `${name} is a function: a ( should follow`);
    const given = [this.#sum()];
    while (this.#takes(',')) given.push(this.#sum());
    this.#close();
    const [first, second] = given as [Evaluate, Evaluate | undefined];
    if (name === 'floor' || name === 'ceil') {
      if (second !== undefined) throw new Fault(position, `${name} takes one value`);
      return (of) => ROUNDING[name](first(of));
    }
    if (second === undefined)
      throw new Fault(position, `${name} takes ${name === 'pow' ? 'two values' : 'two values or more'}`);
    if (name === 'pow') {
      if (given.length > 2) throw new Fault(position, 'pow takes two values');
      return (of) => R.power(first(of), second(of));
    }
    return (of) => given.map((each) => each(of)).reduce(JOINING[name]);
  }
}

/** Reads a formula whose names are among `known`. Never throws for any text. */
export function parseExpression(text: string, known: ReadonlySet<string>): ParsedExpression {
  if (text.length > EXPRESSION_CHARS_MAX) {
    const position = EXPRESSION_CHARS_MAX + 1;
    return { ok: false, position, message: `is longer than ${EXPRESSION_CHARS_MAX} characters` };
  }
  try {
    const reader = new Reader(tokensOf(text), known);
    const evaluate = reader.whole();
    const dividesByZero: Expression['dividesByZero'] = (of) => reader.divisors.some((each) => each(of).above === 0n);
    return { ok: true, expression: { names: [...reader.names], evaluate, dividesByZero } };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return { ok: false, position: thrown.position, message: thrown.message, unknown: thrown.unknown };
  }
}
