import { methodTable } from '../method';
import { isBoolean } from '../type-tests';

/** Methods that expressions add to booleans. */
export const booleanExtensions = methodTable('Boolean', isBoolean, {
  toBoolean: (_run, self) => self,
  toDateTime: () => undefined,
  toFloat: (_run, self) => Number(self),
  toInt: (_run, self) => Number(self),
  toNumber: (_run, self) => Number(self),
});
