import type { CodeInput } from '../code/code-data';
import { describeThrown } from './realm-errors';
import type { Roots } from './roots/install-roots';
import type { PersistentData } from './roots/persistent-data';

// Saved before any user code runs, which may replace the globals.
const { stringify } = JSON;

/** The user's code as a function. */
export type UserFunction = (this: object) => unknown;

/** Calls the code and returns a `CodeReport` as JSON text. Never rejects. */
export async function runUserFunction(
  code: UserFunction,
  input: CodeInput,
  roots: Roots,
  persistent: PersistentData,
): Promise<string> {
  let itemIndex: number | undefined;
  try {
    if (!input.perItem) return withPersistentData(`"value":${await call(code, roots)}`, persistent);
    // Serialized immediately: the code may later change the same objects for the next item.
    const values: string[] = [];
    for (itemIndex = 0; itemIndex < input.itemCount; itemIndex += 1) {
      roots.moveTo(itemIndex);
      try {
        values.push(await call(code, roots));
      } catch (thrown) {
        if (!input.goesOn) throw thrown;
        values.push(stringify({ error: describeThrown(thrown) }));
      }
    }
    return withPersistentData(`"values":[${values.join(',')}]`, persistent);
  } catch (thrown) {
    const index = itemIndex === undefined ? '' : `,"itemIndex":${itemIndex}`;
    return withPersistentData(`"error":${stringify(describeThrown(thrown))}${index}`, persistent);
  }
}

/**
 * Makes one call. Returns its `CodeValue` as JSON text.
 * @throws what the code throws, or an error for a value that JSON cannot represent
 */
async function call(code: UserFunction, roots: Roots): Promise<string> {
  const value: unknown = await Reflect.apply(code, roots.self, []);
  return valueText({ type: value === null ? 'null' : typeof value, value, ...roots.filesOfItem() });
}

/** A value as JSON, with BigInts as text. @throws Error if JSON cannot represent it */
function valueText(value: object): string {
  try {
    return stringify(value);
  } catch {
    return stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  }
}

function withPersistentData(fields: string, persistent: PersistentData): string {
  const rest = stringify(persistent.report()).slice(1, -1);
  return `{${fields}${rest === '' ? '' : `,${rest}`}}`;
}
