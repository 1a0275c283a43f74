import { isPermitted, SCOPES, scopeOf, type Role, type Scope } from '@weft/service-kit/auth';
import type { FieldError } from '@weft/service-kit/errors';

/** Scopes of a new key, and errors in the requested ones. */
export interface ReadScopes {
  /** Without duplicates, in the order of SCOPES; empty: the key is not limited. */
  readonly granted: readonly Scope[];
  readonly errors: readonly FieldError[];
}

const MAX_NAMES = 20;

/** A write scope includes the read scope, because most writes return what was written. */
const withReading = (scope: Scope): readonly Scope[] => {
  const reading = scopeOf(scope.replace(/:write$/, ':read'));
  return reading === undefined ? [scope] : [scope, reading];
};

/** Reads the scopes of a key for a user with that role. A key never gets more than the role permits. */
export const readScopes = (names: readonly string[], role: Role): ReadScopes => {
  if (names.length > MAX_NAMES)
    return { granted: [], errors: [{ field: 'scopes', message: `must have at most ${MAX_NAMES} entries.` }] };
  const errors: FieldError[] = [];
  const granted = new Set<Scope>();
  for (const [index, name] of names.entries()) {
    const field = `scopes[${index}]`;
    const scope = scopeOf(name);
    if (scope === undefined) errors.push({ field, message: `must be one of ${SCOPES.join(', ')}.` });
    else if (!isPermitted(role, scope)) errors.push({ field, message: `is more than the role ${role} permits.` });
    else for (const one of withReading(scope)) granted.add(one);
  }
  return { granted: SCOPES.filter((scope) => granted.has(scope)), errors };
};
