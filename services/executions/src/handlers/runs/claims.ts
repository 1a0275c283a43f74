import {
  type ClaimResponse,
  type EngineStateVersions,
  FirstResult as FirstResultMessage,
  HeartbeatOutcome as OutcomeMessage,
  type RunnerServiceService,
  RunProgress,
  SlotOutcome,
} from '@weft/proto/runner';
import { remainingMs } from '@weft/service-kit/context';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { CallContext, Handlers } from '@weft/service-kit/grpc';
import { isUuid } from '@weft/service-kit/ids';
import type { ExecutionServiceService } from '@weft/proto/executions';
import type { Claim, Claimed } from '../../domain/claim/claim-executions';
import { inlineLeaseMs } from '../../domain/state/limits';
import { MAX_CLAIM_IDS, MAX_CONCURRENCY_KEY_LENGTH } from '../../domain/state/limits';
import type { HeartbeatExecution, HeartbeatOutcome } from '../../domain/step/step-executions';
import type { RunnerSigns } from '../../domain/claim/runner-signs';
import type { SlotResult, AcquireSlot } from '../../domain/claim/acquire-slot';
import type { CheckClaim } from '../../domain/claim/check-claim';
import type { CountModelTokens } from '../../domain/step/count-model-tokens';
import type { FindFirstResult, FirstResult } from '../../domain/read/first-result';
import { toClaimedMessage } from '../messages/claimed-execution-message';
import { checkLength } from './process-entries';

const MAX_ID_LENGTH = 100;

/** @throws InvalidRequest */
export const checkName = (value: string, field: string): void => {
  if (value === '' || value.length > MAX_ID_LENGTH)
    throw new InvalidRequest('The claim is not valid.', [{ field, message: `Use 1 to ${MAX_ID_LENGTH} characters.` }]);
};

/** A runner supports few versions: the one it writes, and those it may read. */
const MAX_STATE_VERSIONS = 16;

/** Undefined if the runner sends none. @throws InvalidRequest if there are too many */
export const stateVersionsOf = (versions: EngineStateVersions | undefined): readonly number[] => {
  if (versions === undefined) return [];
  checkLength(versions.readable, 'engineStateVersions.readable', MAX_STATE_VERSIONS);
  return versions.readable;
};

/** The response with the claimed executions. */
export const claimAnswerOf = (
  { executions, versions, refusedIds, isolatedIds, unreadableIds }: Claimed,
  leaseMs: number,
): ClaimResponse => ({
  executions: executions.map(toClaimedMessage),
  versions: [...versions],
  refusedIds: [...refusedIds],
  leaseMs,
  ...(executions.some(({ lease }) => lease?.ms !== undefined) ? { firstLeaseMs: inlineLeaseMs(leaseMs) } : {}),
  isolatedIds: [...isolatedIds],
  unreadableIds: [...unreadableIds],
});

/** True if no caller waits for the response of a call any more. */
export const isGoneOf =
  ({ signal }: Pick<CallContext, 'signal'>): (() => boolean) =>
  () =>
    signal.aborted || remainingMs(1) === 0;

/** Claim. Malformed ids are refused like ids that cannot be claimed. */
export const claimHandler =
  (claim: Claim, leaseMs: number): Handlers<typeof RunnerServiceService>['claim'] =>
  async (request, context) => {
    const { executionIds, runnerId, claimId, attempt = 0, isolated = false, knownVersionIds } = request;
    checkLength(executionIds, 'executionIds', MAX_CLAIM_IDS);
    checkLength(knownVersionIds, 'knownVersionIds', MAX_CLAIM_IDS);
    checkName(runnerId, 'runnerId');
    checkName(claimId, 'claimId');
    const ids = [...new Set(executionIds)].filter(isUuid);
    if (isolated && ids.length > 1)
      throw new InvalidRequest('The claim is not valid.', [
        { field: 'executionIds', message: 'Claim one execution at a time for isolation.' },
      ]);
    const claimed = await claim({
      executionIds: ids,
      runnerId,
      claimId,
      attempt,
      isolated,
      knownVersionIds,
      engineStateVersions: stateVersionsOf(request.engineStateVersions),
      isGone: isGoneOf(context),
    });
    const malformed = executionIds.filter((id) => !isUuid(id));
    return claimAnswerOf({ ...claimed, refusedIds: [...claimed.refusedIds, ...malformed] }, leaseMs);
  };

const HEARTBEAT_MESSAGES: Readonly<Record<HeartbeatOutcome, OutcomeMessage>> = {
  held: OutcomeMessage.HEARTBEAT_OUTCOME_HELD,
  lost: OutcomeMessage.HEARTBEAT_OUTCOME_LOST,
  cancelled: OutcomeMessage.HEARTBEAT_OUTCOME_CANCELLED,
};

/** Maximum bytes of progress; larger ones are dropped: it is only shown to followers. */
const MAX_PROGRESS_BYTES = 8_192;

const boundedProgress = (progress: RunProgress | undefined): Buffer | undefined => {
  if (progress === undefined) return undefined;
  const bytes = Buffer.from(RunProgress.encode(progress).finish());
  return bytes.length > MAX_PROGRESS_BYTES ? undefined : bytes;
};

/** Heartbeat: one outcome per claim. A claim that cannot be renewed now is neither held nor lost. */
export const heartbeatHandler =
  (heartbeat: HeartbeatExecution): Handlers<typeof RunnerServiceService>['heartbeat'] =>
  async ({ held, runnerId }) => {
    checkLength(held, 'held');
    const outcomes = await Promise.allSettled(
      held.map(({ executionId, fence, shared = false, waiting = false, progress }) => {
        const shown = boundedProgress(progress);
        const facts = {
          runnerId,
          isShared: shared,
          isWaiting: waiting,
          ...(shown === undefined ? {} : { progress: shown }),
        };
        return heartbeat(executionId, fence, facts);
      }),
    );
    return {
      outcomes: outcomes.map((one) =>
        one.status === 'fulfilled' ? HEARTBEAT_MESSAGES[one.value] : OutcomeMessage.HEARTBEAT_OUTCOME_UNKNOWN,
      ),
    };
  };

/** EndRunner: the leases end in the background. */
export const endRunnerHandler =
  (ended: RunnerSigns['ended']): Handlers<typeof RunnerServiceService>['endRunner'] =>
  async ({ runnerId, endedRunnerId, blamedExecutionId, blamedNode }) => {
    checkName(runnerId, 'runnerId');
    const isKnown = ended({
      runnerId,
      ...(endedRunnerId === '' ? {} : { endedId: endedRunnerId }),
      ...(blamedExecutionId === undefined
        ? {}
        : { blamed: { executionId: blamedExecutionId, ...(blamedNode === undefined ? {} : { node: blamedNode }) } }),
    });
    if (isKnown) return {};
    throw new InvalidRequest('The report is not valid.', [
      { field: 'endedRunnerId', message: 'Use the id of a process of the same runner.' },
    ]);
  };

const SLOT_MESSAGES: Readonly<Record<SlotResult, SlotOutcome>> = {
  acquired: SlotOutcome.SLOT_OUTCOME_ACQUIRED,
  queued: SlotOutcome.SLOT_OUTCOME_QUEUED,
  ended: SlotOutcome.SLOT_OUTCOME_ENDED,
};

export const acquireSlotHandler =
  (acquireSlot: AcquireSlot): Handlers<typeof RunnerServiceService>['acquireSlot'] =>
  async ({ executionId, fence, key }) => {
    if (key.length > MAX_CONCURRENCY_KEY_LENGTH)
      throw new InvalidRequest('The key is not valid.', [
        { field: 'key', message: `Use at most ${MAX_CONCURRENCY_KEY_LENGTH} characters.` },
      ]);
    return { outcome: SLOT_MESSAGES[await acquireSlot(executionId, fence, key)] };
  };

const RESULT_MESSAGES: Readonly<Record<FirstResult, FirstResultMessage>> = {
  pending: FirstResultMessage.FIRST_RESULT_PENDING,
  stored: FirstResultMessage.FIRST_RESULT_STORED,
  missing: FirstResultMessage.FIRST_RESULT_MISSING,
  gone: FirstResultMessage.FIRST_RESULT_GONE,
};

export const findFirstResultHandler =
  (find: FindFirstResult): Handlers<typeof RunnerServiceService>['findFirstResult'] =>
  async ({ executionId, fence, otherExecutionId }) => ({
    result: RESULT_MESSAGES[await find(executionId, fence, otherExecutionId)],
  });

export const countModelTokensHandler =
  (count: CountModelTokens): Handlers<typeof RunnerServiceService>['countModelTokens'] =>
  (request) =>
    count(request);

export const checkClaimHandler =
  (checkClaim: CheckClaim): Handlers<typeof ExecutionServiceService>['checkClaim'] =>
  async (question) =>
    checkClaim(question);
