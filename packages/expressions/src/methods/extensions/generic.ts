import type { Method } from '../method';
import { isEmptyValue } from './emptiness';

/** Methods that every value has, undefined and null included. */
export const genericExtensions: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['isEmpty', (_run, self) => isEmptyValue(self)],
  ['isNotEmpty', (_run, self) => !isEmptyValue(self)],
]);
