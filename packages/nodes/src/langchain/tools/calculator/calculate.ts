/** A formula that cannot be calculated, with a sentence that a model can act on. */
export class CalculationError extends Error {}

/** Maximum length of a formula in characters. */
const MAX_LENGTH = 2_000;
/** Maximum nesting of parentheses, calls and signs. */
const MAX_DEPTH = 100;
/** The largest factorial that is a number. */
const MAX_FACTORIAL = 170;

const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E, infinity: Infinity };

type Calculation = (...values: readonly number[]) => number;

/** Functions by name, with the smallest and largest number of arguments. */
const FUNCTIONS: Readonly<Record<string, readonly [least: number, most: number, calculate: Calculation]>> = {
  abs: [1, 1, (x = 0) => Math.abs(x)],
  acos: [1, 1, (x = 0) => Math.acos(x)],
  acosh: [1, 1, (x = 0) => Math.acosh(x)],
  asin: [1, 1, (x = 0) => Math.asin(x)],
  asinh: [1, 1, (x = 0) => Math.asinh(x)],
  atan: [1, 1, (x = 0) => Math.atan(x)],
  atan2: [2, 2, (y = 0, x = 0) => Math.atan2(y, x)],
  atanh: [1, 1, (x = 0) => Math.atanh(x)],
  cbrt: [1, 1, (x = 0) => Math.cbrt(x)],
  ceil: [1, 1, (x = 0) => Math.ceil(x)],
  cos: [1, 1, (x = 0) => Math.cos(x)],
  cosh: [1, 1, (x = 0) => Math.cosh(x)],
  exp: [1, 1, (x = 0) => Math.exp(x)],
  expm1: [1, 1, (x = 0) => Math.expm1(x)],
  fac: [1, 1, (x = 0) => factorial(x)],
  floor: [1, 1, (x = 0) => Math.floor(x)],
  hypot: [1, 100, (...values) => Math.hypot(...values)],
  ln: [1, 1, (x = 0) => Math.log(x)],
  log: [1, 1, (x = 0) => Math.log(x)],
  log10: [1, 1, (x = 0) => Math.log10(x)],
  log1p: [1, 1, (x = 0) => Math.log1p(x)],
  log2: [1, 1, (x = 0) => Math.log2(x)],
  max: [1, 100, (...values) => Math.max(...values)],
  min: [1, 100, (...values) => Math.min(...values)],
  pow: [2, 2, (base = 0, exponent = 0) => base ** exponent],
  round: [1, 2, (x = 0, digits = 0) => rounded(x, digits)],
  roundto: [1, 2, (x = 0, digits = 0) => rounded(x, digits)],
  sign: [1, 1, (x = 0) => Math.sign(x)],
  sin: [1, 1, (x = 0) => Math.sin(x)],
  sinh: [1, 1, (x = 0) => Math.sinh(x)],
  sqrt: [1, 1, (x = 0) => Math.sqrt(x)],
  sum: [1, 100, (...values) => values.reduce((sum, value) => sum + value, 0)],
  tan: [1, 1, (x = 0) => Math.tan(x)],
  tanh: [1, 1, (x = 0) => Math.tanh(x)],
  trunc: [1, 1, (x = 0) => Math.trunc(x)],
};

/**
 * Calculates a formula: numbers, `+ - * / % ^ **`, factorials, parentheses, constants and functions. Nothing in it is
 * evaluated as code.
 * @throws CalculationError for anything else, and for a result that is not a number
 */
export function calculate(formula: string): number {
  if (formula.length > MAX_LENGTH)
    throw new CalculationError(`The formula is longer than ${MAX_LENGTH} characters. Calculate it in parts.`);
  const value = new Formula(tokensOf(formula)).value();
  if (Number.isNaN(value)) throw new CalculationError('The result is not a number. Check the formula.');
  return value;
}

const TOKEN = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|([a-z_]\w*)|(\*\*|[-+*/%^!(),]))/iy;

/** The parts of a formula. */
function tokensOf(formula: string): string[] {
  const text = formula.trim();
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null)
      throw new CalculationError(
        `The formula cannot be read at ${JSON.stringify(text.slice(at, at + 20))}. Use numbers, + - * / % ^ ! ( ) ` +
          `and ${Object.keys(FUNCTIONS).join(', ')}.`,
      );
    tokens.push(match[0].trim().toLowerCase());
  }
  return tokens;
}

/** Reads a formula by the precedence of its operators. */
class Formula {
  #at = 0;
  #depth = 0;

  constructor(private readonly tokens: readonly string[]) {}

  value(): number {
    if (this.tokens.length === 0) throw new CalculationError('The formula is empty.');
    const value = this.#sum();
    const rest = this.tokens[this.#at];
    if (rest !== undefined) throw unexpected(rest);
    return value;
  }

  #sum(): number {
    let value = this.#product();
    for (let operator = this.#take('+', '-'); operator !== undefined; operator = this.#take('+', '-')) {
      const next = this.#product();
      value = operator === '+' ? value + next : value - next;
    }
    return value;
  }

  #product(): number {
    let value = this.#signed();
    for (let operator = this.#take('*', '/', '%'); operator !== undefined; operator = this.#take('*', '/', '%')) {
      const next = this.#signed();
      value = operator === '*' ? value * next : operator === '/' ? value / next : value % next;
    }
    return value;
  }

  #signed(): number {
    const sign = this.#take('+', '-');
    if (sign === undefined) return this.#power();
    return this.#nested(() => (sign === '-' ? -this.#signed() : this.#signed()));
  }

  #power(): number {
    let base = this.#atom();
    while (this.#take('!') !== undefined) base = factorial(base);
    // Powers group from the right.
    return this.#take('^', '**') === undefined ? base : this.#nested(() => base ** this.#signed());
  }

  #atom(): number {
    const token = this.tokens[this.#at];
    if (token === undefined) throw new CalculationError('The formula ends too early.');
    this.#at += 1;
    if (/^[\d.]/.test(token)) return Number(token);
    if (token === '(') return this.#nested(() => this.#closed(this.#sum()));
    if (this.#take('(') !== undefined) return this.#nested(() => this.#call(token));
    const constant = Object.hasOwn(CONSTANTS, token) ? CONSTANTS[token] : undefined;
    if (constant === undefined) throw unexpected(token);
    return constant;
  }

  #call(name: string): number {
    const values = this.#take(')') === undefined ? this.#arguments() : [];
    const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (known === undefined)
      throw new CalculationError(`There is no function "${name}". Use ${Object.keys(FUNCTIONS).join(', ')}.`);
    const [least, most, run] = known;
    if (values.length < least || values.length > most)
      throw new CalculationError(`The function "${name}" cannot be called with ${values.length} arguments.`);
    return run(...values);
  }

  #arguments(): number[] {
    const values = [this.#sum()];
    while (this.#take(',') !== undefined) values.push(this.#sum());
    this.#closed(0);
    return values;
  }

  #closed(value: number): number {
    if (this.#take(')') === undefined) throw new CalculationError('A closing parenthesis is missing.');
    return value;
  }

  #nested(read: () => number): number {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH)
      throw new CalculationError(`The formula is nested more than ${MAX_DEPTH} levels deep.`);
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #take(...tokens: readonly string[]): string | undefined {
    const token = this.tokens[this.#at];
    if (token === undefined || !tokens.includes(token)) return undefined;
    this.#at += 1;
    return token;
  }
}

function unexpected(token: string): CalculationError {
  return new CalculationError(`${JSON.stringify(token.slice(0, 50))} is not expected there.`);
}

function factorial(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > MAX_FACTORIAL)
    throw new CalculationError(`Factorials are known for whole numbers from 0 to ${MAX_FACTORIAL}.`);
  let product = 1;
  for (let factor = 2; factor <= value; factor += 1) product *= factor;
  return product;
}

function rounded(value: number, digits: number): number {
  if (digits === 0) return Math.round(value);
  if (!Number.isInteger(digits) || digits < 0 || digits > 15)
    throw new CalculationError('Numbers are rounded to 0 to 15 digits.');
  return Number(`${Math.round(Number(`${value}e${digits}`))}e-${digits}`);
}
