import { toText } from './convert';
import { IteratorValue } from './values/iterator-value';
import { isArray } from './kinds';
import type { Run } from './run';
import { typeError } from './thrown';

/**
 * The values that `for…of`, spreading and destructuring go through.
 * @throws Thrown TypeError if the value is not iterable
 */
export function iterate(run: Run, value: unknown): readonly unknown[] {
  if (isArray(value)) return value;
  if (typeof value === 'string') {
    run.allowEntries(value.length);
    return [...value];
  }
  if (value instanceof Map) {
    run.allowEntries(value.size);
    return [...value].map((entry) => run.made([...entry]));
  }
  if (value instanceof Set) {
    run.allowEntries(value.size);
    return [...value];
  }
  if (value instanceof IteratorValue) return value.rest();
  throw typeError(
    `${typeof value === 'object' || value === undefined ? toText(run, value) : typeof value} is not iterable`,
  );
}
