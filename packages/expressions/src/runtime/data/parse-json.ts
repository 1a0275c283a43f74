import { LIMITS } from '../../limits';
import { FunctionValue } from '../values/function-value';
import { isArray, isPlainObject } from '../kinds';
import { forbidden } from '../names';
import type { Run } from '../run';
import { overBudget } from '../run';
import { ErrorValue, Thrown } from '../thrown';

/** Cost of parsing, for each character. */
const PARSE_NS = 20;

/**
 * Reads JSON text. Nesting and the number of values are bounded, and a field called `__proto__` is refused.
 * @throws Thrown SyntaxError if it is not JSON
 */
export function parseJson(run: Run, text: string, reviver?: unknown): unknown {
  if (text.length > LIMITS.textLength * 4)
    throw overBudget(`reads JSON of more than ${LIMITS.textLength * 4} characters`);
  run.read(text.length, PARSE_NS);
  const { depth, values } = measure(text);
  if (depth > LIMITS.dataDepth) throw overBudget(`reads JSON nested deeper than ${LIMITS.dataDepth} levels`);
  run.work(values);
  let hasProto = false;
  const parsed = hostParse(text);
  if (/__proto__|\\u/.test(text)) hasProto = holdsProto(parsed);
  if (hasProto) throw forbidden('__proto__');
  own(run, parsed);
  return reviver instanceof FunctionValue ? revive(run, reviver, { '': parsed }, '') : parsed;
}

function hostParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Thrown(new ErrorValue('SyntaxError', error instanceof Error ? error.message : 'Invalid JSON'));
  }
}

/** Depth of brackets outside of strings, and an upper bound of the number of values. */
function measure(text: string): { depth: number; values: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let isText = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isText) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) isText = false;
    } else if (code === 0x22) isText = true;
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (code === 0x2c) values += 1;
  }
  return { depth: deepest, values: values + deepest };
}

function holdsProto(value: unknown): boolean {
  if (isArray(value)) return value.some(holdsProto);
  return isPlainObject(value) && (Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsProto));
}

/** Marks everything that was read as made by the expression. */
function own(run: Run, value: unknown): void {
  if (!run.tracksOwnership || typeof value !== 'object' || value === null) return;
  for (const entry of isArray(value) ? value : Object.values(value)) own(run, entry);
  run.made(value);
}

function revive(run: Run, reviver: FunctionValue, holder: Record<string, unknown> | unknown[], key: string): unknown {
  const value = isArray(holder) ? holder[Number(key)] : holder[key];
  if (isArray(value)) value.forEach((_, index) => (value[index] = revive(run, reviver, value, String(index))));
  else if (isPlainObject(value)) {
    for (const name of Object.keys(value)) {
      const revived = revive(run, reviver, value, name);
      if (revived === undefined) delete value[name];
      else value[name] = revived;
    }
  }
  return reviver.call(run, holder, [key, value]);
}
