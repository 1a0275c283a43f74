import { scoped, scopedOne, type Scoped, type VisibilityScope } from '@weft/service-kit/visibility';
import type { ReadFollowed } from '../event-log/followed-execution';
import type { FindPage, ReadShown } from './shown-executions';
import type { ReadExecution, ReadHeld } from '../state/ports';

/** Reads of executions. */
export interface ExecutionReads {
  readonly read: ReadExecution;
  readonly readHeld: ReadHeld;
  readonly readShown: ReadShown;
  readonly readFollowed: ReadFollowed;
  readonly readPage: FindPage;
}

/** The same, limited to what a caller may see. */
export type ScopedReads = Scoped<ExecutionReads>;

const ofExecution = ({ _id }: { readonly _id: string }) => ({ executionId: _id });

/**
 * The only access to executions for use cases of users, so that none of them can ignore closed projects. A page omits
 * invisible executions; requesting one by id is refused as Forbidden.
 */
export const scopedReads = (
  { read, readHeld, readShown, readFollowed, readPage }: ExecutionReads,
  scope: VisibilityScope,
): ScopedReads => {
  const { hidden, sees } = scope;
  return scoped({
    read: scopedOne(read, scope, ofExecution),
    readHeld: scopedOne(readHeld, scope, ofExecution),
    readShown: scopedOne(readShown, scope, ofExecution),
    readFollowed: scopedOne(readFollowed, scope, ofExecution),
    readPage: async (filter, limit) => {
      if (filter.ownerId === undefined) return readPage({ ...filter, hiddenOwnerIds: hidden }, limit);
      return sees(filter.ownerId) ? readPage(filter, limit) : [];
    },
  });
};
