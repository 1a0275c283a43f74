import { globalNames } from './globals/globals';
import { kindOf } from './methods/kind-of';
import { rootNames } from './roots/roots';
import { hasOwnFields } from './runtime/kinds';
import { isForbiddenName } from './runtime/names';

/** Number of own fields of one value that are listed. */
const MAX_FIELDS = 1_000;

/** A name that an editor offers after a value. */
export interface MemberCompletion {
  readonly name: string;
  readonly kind: 'field' | 'method';
}

/** Names of the roots of expressions, such as `$json`, and the function `$`. */
export function rootCompletions(): string[] {
  return ['$', ...rootNames()].sort();
}

/** Names of the functions of the language, such as `Math.max` and `DateTime.now`. */
export function globalCompletions(): string[] {
  return globalNames()
    .map(({ name }) => name)
    .sort();
}

/**
 * Names that can follow the dot after a value: its own fields in their order, then the methods of its type by name.
 * Names that no expression may read are left out.
 */
export function memberCompletions(value: unknown): MemberCompletion[] {
  const fields = hasOwnFields(value) && !Array.isArray(value) ? Object.keys(value).slice(0, MAX_FIELDS) : [];
  const methods = [...kindOf(value).methods.keys()].filter((name) => !fields.includes(name)).sort();
  return [
    ...fields.filter((name) => !isForbiddenName(name)).map((name): MemberCompletion => ({ name, kind: 'field' })),
    ...methods.map((name): MemberCompletion => ({ name, kind: 'method' })),
  ];
}
