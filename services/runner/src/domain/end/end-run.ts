import {
  type ApprovalRequest,
  encodeState,
  type EngineState,
  hashOfToken,
  type WaitRequest,
  type ExecutionError,
  type HttpResponse,
  messageOf,
  type ResultItem,
  type RunOutcome,
} from '@weft/engine';
import type { CallToApprove } from '@weft/proto/runner';
import { ServiceError } from '@weft/service-kit/errors';
import { checkResponse, LIMITS } from '@weft/service-kit/limits';
import { withNextCaller } from '../claims/caller';
import type { RunPause, ExecutionStore, FailureReason, RunEnd } from '../claims/held/execution-store';
import { type Checkpoints, type Unsaved, usageIn } from './checkpoints';
import type { ClaimedExecution, StoredNodeRun, WriteOutcome } from '../claims/claimed-execution';
import type { Held } from '../claims/held/held-executions';
import { EntryFailed, isRefusal, retryWhileHeld } from '../claims/held/retry-while-held';

/**
 * Converts a wait to its stored form: the state the run continues from, and what wakes it. Tokens are stored only as
 * hashes.
 */
export const pauseOf = (
  request: WaitRequest,
  state: EngineState,
): Pick<
  RunPause,
  'engineState' | 'resumeAt' | 'resumeTokenHash' | 'resumeSettings' | 'childExecutionId' | 'approval'
> => {
  switch (request.kind) {
    case 'approval':
      return { engineState: encodeState(state), resumeAt: new Date(request.at), approval: shownCall(request) };
    case 'timer':
      return { engineState: encodeState(state), resumeAt: new Date(request.at) };
    case 'child':
      return { engineState: encodeState(state), childExecutionId: request.executionId };
    case 'webhook':
      return {
        engineState: encodeState(withNextCaller(state, request.answer)),
        resumeTokenHash: hashOfToken(request.token),
        resumeSettings: request.settings,
        ...(request.at === undefined ? {} : { resumeAt: new Date(request.at) }),
      };
  }
};

/** The call as people see it. Arguments that are too large to show are in the run data once it was made. */
const shownCall = ({ node, tool, input }: ApprovalRequest): CallToApprove => {
  const json = JSON.stringify(input);
  return { node, tool, input: Buffer.byteLength(json) > LIMITS.approvalInput.max ? '' : json };
};

/** A run that has halted here and is to be written. */
export interface HaltedClaim {
  readonly claimed: ClaimedExecution;
  readonly held: Held;
  readonly checkpoints: Pick<Checkpoints, 'unsaved' | 'reached'>;
  readonly store: Pick<ExecutionStore, 'report' | 'pause' | 'release' | 'persist'>;
  /** For the caller that still waits, if the run fails. */
  readonly errorAnswer: () => HttpResponse | undefined;
  /** The record is not needed if the run succeeded. */
  readonly isDiscarded?: boolean;
  /** For sub-workflows: the items for the caller if the run succeeded. */
  readonly result?: readonly ResultItem[];
}

/** A written run: its outcome, and the outcome of the write; `written` is undefined if it has not ended. */
export interface EndedRun {
  readonly outcome: RunOutcome;
  readonly written: WriteOutcome | undefined;
}

/**
 * Milliseconds before a released run is claimed again, plus a random delay of up to as much: runs released together
 * must not return together.
 */
const RELEASE_DELAY_MS = 5_000;

/** Records up to this size in bytes are sent again when the whole was refused. */
const SMALL_BYTES = 64 * 1024;

const fencedOf = ({
  claimed,
  checkpoints,
}: HaltedClaim): Unsaved & Pick<ClaimedExecution, 'executionId' | 'fence'> => ({
  executionId: claimed.executionId,
  fence: claimed.fence,
  ...checkpoints.unsaved(),
});

const write = (run: HaltedClaim, call: () => Promise<WriteOutcome>): Promise<WriteOutcome> =>
  retryWhileHeld(call, run.held.signal, { witness: () => run.store.persist(run.claimed) });

/** @throws LimitExceeded for a response that cannot be stored */
export const checkAnswer = ({ headers, body }: HttpResponse): void =>
  checkResponse(
    Object.entries(headers).map(([name, value]) => ({ name, value })),
    Buffer.byteLength(body),
  );

const withAnswer = (answer: HttpResponse | undefined): { readonly response?: HttpResponse } => {
  if (answer === undefined) return {};
  checkAnswer(answer);
  return { response: answer };
};

/** State in which the failed node would run again, if a node failed. */
const retryFromOf = ({ state }: Extract<RunOutcome, { kind: 'error' }>): Pick<RunEnd, 'retryFrom'> =>
  state === undefined ? {} : { retryFrom: { engineState: encodeState(state), nodeRuns: state.executionIndex } };

const send = async (
  run: HaltedClaim,
  outcome: RunOutcome,
  answer: HttpResponse | undefined,
): Promise<WriteOutcome | undefined> => {
  const { store } = run;
  const fenced = fencedOf(run);
  switch (outcome.kind) {
    case 'success': {
      const end = {
        ...fenced,
        lastNode: outcome.lastNode ?? '',
        ...withAnswer(answer),
        ...discardOf(run),
        ...originsOf(run),
      };
      return write(run, () => store.report(end));
    }
    case 'error': {
      const end = {
        ...fenced,
        lastNode: outcome.lastNode ?? '',
        error: outcome.error,
        ...retryFromOf(outcome),
        ...withAnswer(answer),
      };
      return write(run, () => store.report(end));
    }
    case 'waiting': {
      const pause = {
        ...fenced,
        ...pauseOf(outcome.wait, outcome.state),
        ...usageIn(outcome.state),
        lastNode: outcome.node,
        ...withAnswer(answer),
      };
      await write(run, () => store.pause(pause));
      return undefined;
    }
    case 'stopped': {
      // A cancelled or aborted run has no caller that waits for its results.
      if (outcome.reason !== 'drain' && outcome.reason !== 'release') return undefined;
      const release = {
        ...fenced,
        engineState: encodeState(outcome.state),
        ...usageIn(outcome.state),
        ...delayOf(outcome.reason === 'release'),
      };
      await write(run, () => store.release(release));
      return undefined;
    }
  }
};

const discardOf = ({ isDiscarded }: HaltedClaim): { readonly discard?: true } =>
  isDiscarded === true ? { discard: true } : {};

/** Origins of result items, for a caller that reads the result from the store. */
const originsOf = ({ result }: HaltedClaim): Pick<RunEnd, 'resultOrigins'> =>
  result === undefined || result.length > LIMITS.resultOrigins.max
    ? {}
    : { resultOrigins: result.map(({ origin = -1 }) => origin) };

const delayOf = (isReleased: boolean): { readonly delayMs?: number } =>
  isReleased ? { delayMs: Math.round(RELEASE_DELAY_MS * (1 + Math.random())) } : {};

/** Releases a run at its last side-effecting node, or its last checkpoint. Later work is repeated. */
export const releaseFromCheckpoint = async (run: HaltedClaim): Promise<EndedRun['written']> => {
  const release = {
    executionId: run.claimed.executionId,
    fence: run.claimed.fence,
    ...run.checkpoints.reached(),
    ...delayOf(run.held.signal.reason === 'release'),
  };
  await write(run, () => run.store.release(release));
  return undefined;
};

const errorOf = (refusal: unknown): { readonly error: ExecutionError; readonly failureReason: FailureReason } => {
  const fieldErrors =
    refusal instanceof ServiceError ? refusal.fields.map(({ field, message }) => ` ${field}: ${message}`).join('') : '';
  const isTooLarge = refusal instanceof ServiceError && refusal.kind === 'too-large';
  return {
    error: { name: 'WorkflowOperationError', message: `The run cannot be stored: ${messageOf(refusal)}${fieldErrors}` },
    failureReason: isTooLarge ? 'RUN_DATA_TOO_LARGE' : 'RESULT_REFUSED',
  };
};

const smallOnes = (runs: readonly StoredNodeRun[]): readonly StoredNodeRun[] => {
  const firstLarge = runs.findIndex(({ recordJson }) => recordJson.length > SMALL_BYTES);
  return firstLarge === -1 ? runs : runs.slice(0, firstLarge);
};

/**
 * Ends a run as an error if part of its result was refused: without the response and other results; if that is refused
 * too, without large node runs, and finally without any. So its error is stored, and its nodes do not run again.
 * @throws the refusal if even that is refused
 */
export const endRefused = async (
  run: HaltedClaim,
  refusal: unknown,
  lastNode: string | undefined,
): Promise<EndedRun> => {
  const { executionId, fence, checkpoint, nodeRuns } = fencedOf(run);
  const { error, failureReason } = errorOf(refusal);
  const answer = run.errorAnswer();
  for (const reported of [nodeRuns, smallOnes(nodeRuns), []]) {
    const end = {
      executionId,
      fence,
      checkpoint,
      nodeRuns: reported,
      lastNode: lastNode ?? '',
      error,
      failureReason,
      ...(answer === undefined ? {} : { response: answer }),
    };
    try {
      return {
        outcome: { kind: 'error', error: error, lastNode },
        written: await write(run, () => run.store.report(end)),
      };
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  throw refusal;
};

/** Whether an error is the refusal of a write, rather than an error of the engine. */
export const isRefusedWrite = (thrown: unknown): boolean =>
  thrown instanceof EntryFailed || (thrown instanceof ServiceError && isRefusal(thrown));

/**
 * Writes the result of a run. Writes nothing for an aborted run, whose results are discarded.
 * @throws the last error if the service did not respond while the claim held
 */
export const endRun = async (
  run: HaltedClaim,
  outcome: RunOutcome,
  answer: HttpResponse | undefined,
): Promise<EndedRun> => {
  try {
    return { outcome, written: await send(run, outcome, answer) };
  } catch (refusal) {
    if (!isRefusal(refusal)) throw refusal;
    if (outcome.kind === 'stopped') return { outcome, written: await releaseFromCheckpoint(run) };
    return endRefused(run, refusal, outcome.kind === 'waiting' ? outcome.node : outcome.lastNode);
  }
};
