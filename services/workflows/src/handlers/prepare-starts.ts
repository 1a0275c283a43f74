import {
  StartPurpose as PurposeMessage,
  type PreparedStart as PreparedStartMessage,
  type StartWish as StartWishMessage,
} from '@weft/proto/workflows';
import { gather } from '@weft/service-kit/batching';
import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import type { PreparedStart, PrepareStarts, StartWish } from '../domain/prepare-starts';
import type { Methods } from './methods';

/** Most wishes of one call, and of one query. */
const STARTS_MAX = 500;

/** A refusal is an answer, so it travels as a value; only what meets all wishes rejects. */
interface Outcome {
  readonly prepared: PreparedStart | ServiceError;
}

const purposeOf = (purpose: PurposeMessage | undefined): Pick<StartWish, 'purpose'> => {
  if (purpose === PurposeMessage.START_PURPOSE_CALL) return { purpose: 'call' };
  return purpose === PurposeMessage.START_PURPOSE_ERROR ? { purpose: 'error' } : {};
};

const wishOf = ({
  workflowId,
  startNode,
  userId,
  role,
  purpose,
  definitionJson,
  usesPins,
}: StartWishMessage): StartWish => ({
  workflowId,
  startNode,
  userId,
  role,
  ...purposeOf(purpose),
  ...(definitionJson === undefined ? {} : { definition: definitionJson }),
  ...(usesPins === undefined ? {} : { usesPins }),
});

const message = ({ prepared }: Outcome): PreparedStartMessage => {
  if (!(prepared instanceof ServiceError)) return { ...prepared, refusalReason: '', refusalMessage: '', faults: [] };
  return {
    refusalReason: prepared.reason,
    refusalMessage: prepared.message,
    versionId: '',
    ownerId: '',
    startNode: '',
    faults: prepared.fields.map(({ field, description }) => ({ path: field, message: description })),
  };
};

/** PrepareStarts over gRPC; wishes that come in together, in one call or in several, are looked up by one query. */
export const handlePrepareStarts = (prepare: PrepareStarts): Methods['prepareStarts'] => {
  const prepareOne = gather<StartWish, Outcome>({
    flush: async (wishes) => (await prepare(wishes)).map((prepared) => ({ prepared })),
    maxBatch: STARTS_MAX,
    concurrency: 2,
    maxQueued: 10_000,
  });
  return async ({ starts }) => {
    if (starts.length > STARTS_MAX)
      throw new InvalidRequest('Too many starts.', [{ field: 'starts', description: `Send ${STARTS_MAX} at most.` }]);
    const outcomes = await Promise.all(starts.map((wish) => prepareOne(wishOf(wish))));
    return { starts: outcomes.map(message) };
  };
};
