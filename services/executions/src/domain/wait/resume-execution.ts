import { InvalidRequest } from '@weft/service-kit/errors';
import { withoutBom } from '@weft/service-kit/json';
import { LimitExceeded, LIMITS } from '@weft/service-kit/limits';
import { ExecutionNotWaiting } from '../state/errors';
import type { FindWait, TokenHolder } from './find-wait';
import { wakeWrite } from '../state/free-writes';
import { MAX_RESUME_BYTES } from '../state/limits';
import type { ApplyWrite, Clock, Publish, ReadJson } from '../state/ports';
import { isList } from '../start/is-list';

/** Request to wake an execution. */
export interface ResumeParams {
  readonly token: string;
  /** JSON array; empty: none. */
  readonly items: Buffer;
  /** The wait to resume, as found before; absent: the current one. */
  readonly generation?: number;
}

/** A woken execution. `responseSeq`: number of the response that the caller may wait for. */
export interface Resumed {
  readonly executionId: string;
  readonly responseSeq: number;
}

/** Wakes the execution that waits for a token. @throws ResumeTokenUnknown, ExecutionNotWaiting, InvalidRequest */
export type ResumeExecution = (resumption: ResumeParams) => Promise<Resumed>;

/** Ports of resuming. */
export interface ResumePorts {
  readonly findWait: FindWait;
  readonly apply: ApplyWrite;
  readonly publish: Publish;
  readonly readJson: ReadJson;
  readonly clock: Clock;
}

const NO_ITEMS = Buffer.from('[]');

const checkItems = async (items: Buffer, holder: TokenHolder, readJson: ReadJson): Promise<Buffer> => {
  if (items.length === 0) return NO_ITEMS;
  if (!(await isList(items, holder, readJson)))
    throw new InvalidRequest('The input is not valid.', [{ field: 'input', message: 'must be a JSON array of items' }]);
  return withoutBom(items);
};

/** Wakes executions by tokens; each wait ends once, by the first caller. */
export const createResumeExecution =
  ({ findWait, apply, publish, readJson, clock }: ResumePorts): ResumeExecution =>
  async ({ token, items, generation }) => {
    if (items.length > MAX_RESUME_BYTES) throw new LimitExceeded(LIMITS.resumeInput, items.length);
    const { holder, tokenHash } = await findWait(token);
    if (generation !== undefined && generation !== holder.generation) throw new ExecutionNotWaiting(false);
    const itemsJson = await checkItems(items, holder, readJson);
    const { response } = holder;
    const cause = { kind: 'webhook' as const, itemsJson, ...(response === undefined ? {} : { response }) };
    const { outcome } = await apply(
      holder._id,
      wakeWrite({ 'wait.tokenHash': tokenHash, generation: holder.generation }, cause, new Date(clock())),
    );
    if (outcome !== 'applied') throw new ExecutionNotWaiting(false);
    publish(holder._id, `${holder.generation + 1}`);
    return { executionId: holder._id, responseSeq: (holder.responseSeq ?? 0) + 1 };
  };
