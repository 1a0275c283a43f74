import fc from 'fast-check';
import { bodyValue } from './testing/fixed-scope';
import { expressionText } from './testing/programs';

const JSON_DATA = {
  a: 1,
  b: 'two',
  c: null,
  list: [3, 1, 2, 'x'],
  name: 'Hello, World',
  deep: { a: { b: [1, { c: true }] }, list: [] },
};

/**
 * The result of JavaScript itself for the text; exceptions are undefined, as expressions have it. The data is new each
 * time: texts may change it.
 */
function inJavaScript(text: string): unknown {
  try {
    // The texts are made by this test, and this is the reference they are compared with.
    const run: unknown = new Function('$json', `return (${text})`);
    return typeof run === 'function' ? Reflect.apply(run, undefined, [structuredClone(JSON_DATA)]) : undefined;
  } catch {
    return undefined;
  }
}

/** Values that have no form to compare: functions, and data that contains itself. */
const NO_FORM = 'no form';

/** Values in a form that distinguishes NaN and -0. */
function normal(value: unknown, open: readonly unknown[] = []): unknown {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : Number.isNaN(value) ? 'NaN' : value;
  if (typeof value === 'function' || (typeof value === 'object' && value !== null && open.includes(value)))
    return NO_FORM;
  if (typeof value !== 'object' || value === null) return value;
  const within = [...open, value];
  if (Array.isArray(value)) return Array.from<unknown, unknown>(value, (entry) => normal(entry, within));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, normal(entry, within)]));
}

function inWeft(text: string): unknown {
  try {
    return normal(bodyValue(`(${text})`, { items: [structuredClone(JSON_DATA)] }));
  } catch (error) {
    return `refused: ${String(error)}`;
  }
}

describe('an expression in the part of the language that JavaScript has too', () => {
  it('has the same result as in JavaScript', () => {
    fc.assert(
      fc.property(expressionText, (text) => {
        const expected = normal(inJavaScript(text));
        if (JSON.stringify(expected)?.includes(NO_FORM)) return;
        expect(inWeft(text)).toEqual(expected);
      }),
      { numRuns: 1_500 },
    );
  });
});
