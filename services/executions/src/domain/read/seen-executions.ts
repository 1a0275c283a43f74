import { seen, seenOne, type Seen, type Sight } from '@weft/service-kit/sight';
import type { FindPage, ReadShown } from './shown-executions';
import type { ReadExecution, ReadHeld } from '../state/ports';

/** Reads of executions. */
export interface ExecutionReads {
  readonly read: ReadExecution;
  readonly readHeld: ReadHeld;
  readonly readShown: ReadShown;
  readonly readPage: FindPage;
}

/** The same, limited to what a caller may see. */
export type SeenReads = Seen<ExecutionReads>;

const ofExecution = ({ _id }: { readonly _id: string }) => ({ executionId: _id });

/**
 * The only access to executions for use cases of users, so that none of them can ignore closed projects. A page omits
 * invisible executions; requesting one by id is refused as Forbidden.
 */
export const seenReads = ({ read, readHeld, readShown, readPage }: ExecutionReads, sight: Sight): SeenReads => {
  const { hidden, sees } = sight;
  return seen({
    read: seenOne(read, sight, ofExecution),
    readHeld: seenOne(readHeld, sight, ofExecution),
    readShown: seenOne(readShown, sight, ofExecution),
    readPage: async (filter, limit) => {
      if (filter.ownerId === undefined) return readPage({ ...filter, hiddenOwnerIds: hidden }, limit);
      return sees(filter.ownerId) ? readPage(filter, limit) : [];
    },
  });
};
