import { WaitSettings } from '@weft/proto/channels';
import { ExecutionState } from '@weft/proto/executions';
import { OfferServiceService } from '@weft/proto/offers';
import {
  SlotOutcome,
  CheckpointEntry,
  PersistEntry,
  ReleaseEntry,
  ReportEntry,
  RunnerServiceService,
  WaitEntry,
  type StartChildResponse,
} from '@weft/proto/runner';
import type { TokenSigner } from '@weft/service-kit/auth';
import { createCaller } from '@weft/service-kit/grpc';
import { checkLimit, LIMITS } from '@weft/service-kit/limits';
import type { ProcessExit } from '../domain/claims/process-exit';
import type {
  ChildAnswer,
  ChildCall,
  ClaimOffered,
  ExecutionStore,
  Fenced,
  Progress,
  RunPause,
} from '../domain/claims/held/execution-store';
import { encodedVersion, STATE_VERSIONS, type FileFacts } from '@weft/engine';
import { createEntryBatches, toOutcome } from './entry-batches';
import {
  toChildError,
  toClaimOutcome,
  toClaimed,
  toFirstResult,
  toHeartbeat,
  toProgress,
  toReportEntry,
  toResponse,
  toModelUsage,
} from './execution-messages';
import type { FileChunks } from './file-store';
import { createNodeRunSender } from './send-node-runs';
import { DEADLINE_MS, piecesOf, readChunk, readNodeRuns, type RunnerCalls } from './transfers';

/** Streams for calls to the service as a whole. */
const STREAMS = 4;
const READABLE = { readable: [...STATE_VERSIONS.read] };

/** @throws LimitExceeded */
const checkedPause = (pause: RunPause): RunPause => {
  if (pause.resumeSettings !== undefined)
    checkLimit(LIMITS.resumeSettings, WaitSettings.encode(pause.resumeSettings).finish().length);
  return pause;
};

/** Claims of offers and writes share their streams. */
const CLAIMS_AND_WRITES = { ...RunnerServiceService, ...OfferServiceService };

/** The client and its close function. */
export interface ExecutionsClient extends FileChunks {
  readonly store: ExecutionStore;
  readonly claimOffered: ClaimOffered;
  /** Reports the exit of processes of this runner. */
  readonly endRunner: (exit: ProcessExit) => Promise<void>;
  readonly close: () => void;
}

/** A file may be empty, but an upload has at least one message, which carries the metadata. */
const filePieces = (claim: Fenced, chunkId: string, bytes: Uint8Array, { mimeType, fileName }: FileFacts) => {
  const [first, ...rest] = piecesOf(claim, chunkId, bytes);
  const head = first ?? { executionId: claim.executionId, fence: claim.fence, chunkId, data: Buffer.alloc(0) };
  return [{ ...head, mimeType, ...(fileName === undefined ? {} : { fileName }) }, ...rest];
};

const toChildAnswer = async (
  calls: RunnerCalls,
  caller: Fenced,
  { childExecutionId, next, version, resultJson, resultInChunk }: StartChildResponse,
): Promise<ChildAnswer> => {
  switch (next?.$case) {
    case 'ended': {
      if (next.value.state !== ExecutionState.EXECUTION_STATE_SUCCESS)
        return {
          kind: 'ended',
          executionId: childExecutionId,
          error: toChildError(next.value.error),
          itemsJson: resultJson,
        };
      return {
        kind: 'ended',
        executionId: childExecutionId,
        itemsJson: resultInChunk === true ? await readChunk(calls, caller, `result-${childExecutionId}`) : resultJson,
      };
    }
    case 'claimed':
      return {
        kind: 'claimed',
        executionId: childExecutionId,
        claimed: toClaimed(next.value),
        ...(version === undefined ? {} : { version }),
      };
    case 'retryAt':
      return { kind: 'later', at: next.value };
    case 'claimedByOther':
    case undefined:
      return { kind: 'claimedByOther', executionId: childExecutionId };
  }
};

const startChild = async (
  calls: RunnerCalls,
  runnerId: string,
  caller: Fenced,
  { workflowId, definition, knownVersionIds, input, ...call }: ChildCall,
): Promise<ChildAnswer> => {
  const answer = await calls.startChild(
    {
      ...call,
      runnerId,
      parentExecutionId: caller.executionId,
      fence: caller.fence,
      workflowId: workflowId ?? '',
      input: Buffer.from(input),
      knownVersionIds: [...knownVersionIds],
      engineStateVersions: READABLE,
      ...(definition === undefined ? {} : { definition: Buffer.from(definition) }),
    },
    { deadlineMs: DEADLINE_MS },
  );
  return toChildAnswer(calls, caller, answer);
};

/**
 * Client of the executions service over gRPC. Batches concurrent writes of several runs.
 * @param self id of this process, and the callback for a broken stream: executions may believe that it has exited
 * @param certifiedAs target of the service, where `targetAddress` is a single replica
 */
export const createExecutionsClient = (
  targetAddress: string,
  sign: TokenSigner,
  { runnerId, onBroken }: { readonly runnerId: string; readonly onBroken: () => void },
  certifiedAs = targetAddress,
): ExecutionsClient => {
  const target = { service: 'executions', target: targetAddress, certifiedAs, sign, background: true };
  // Except claims: each attempt has a number.
  const writes = createCaller(CLAIMS_AND_WRITES, {
    ...target,
    // One replica needs one stream; several replicas get enough streams to reach different ones.
    streams: certifiedAs === targetAddress ? STREAMS : 1,
    processId: runnerId,
    onBroken,
    retried: ['persist', 'checkpoint', 'report', 'wait', 'release'],
  });
  // Requests of nodes must not delay reports of runs, and nothing may delay heartbeats.
  const asked = createCaller(RunnerServiceService, {
    ...target,
    retried: ['respond', 'startChild', 'acquireSlot', 'findFirstResult'],
  });
  const beats = createCaller(RunnerServiceService, {
    ...target,
    retried: ['heartbeat', 'endRunner'],
    ownConnection: true,
  });
  const { calls } = writes;
  const sendNodeRuns = createNodeRunSender(calls);
  const persist = createEntryBatches(PersistEntry, (entries) => calls.persist({ entries }));
  const checkpoint = createEntryBatches(CheckpointEntry, (entries) => calls.checkpoint({ entries }));
  const report = createEntryBatches(ReportEntry, (entries) => calls.report({ entries }));
  const release = createEntryBatches(ReleaseEntry, (entries) => calls.release({ entries }));
  const wait = createEntryBatches(WaitEntry, (entries) => calls.wait({ entries }));
  const entryOf = (progress: Progress) => {
    checkLimit(LIMITS.engineState, progress.engineState.length);
    return {
      executionId: progress.executionId,
      fence: progress.fence,
      checkpoint: progress.checkpoint,
      engineState: Buffer.from(progress.engineState),
      engineStateVersion: encodedVersion(progress.engineState),
      customDataJson: progress.customDataJson,
      modelUsage: progress.modelUsage && toModelUsage(progress.modelUsage),
      resumeTokenHash: progress.resumeTokenHash,
    };
  };
  return {
    close: () => {
      for (const caller of [writes, asked, beats]) caller.close();
    },
    putFile: async (claim, chunkId, bytes, facts) =>
      toOutcome(
        (await calls.putChunk(filePieces(claim, chunkId, bytes, facts), { deadlineMs: 3 * DEADLINE_MS })).outcome,
      ),
    getFile: (claim, id) => readChunk(calls, claim, id),
    endRunner: async ({ endedRunnerId = '', blamed }) => {
      const facts = blamed === undefined ? {} : { blamedExecutionId: blamed.executionId, blamedNode: blamed.node };
      await beats.calls.endRunner({ runnerId, endedRunnerId, ...facts }, { deadlineMs: DEADLINE_MS / 2 });
    },
    claimOffered: async ({ claimId, attempt, most, waitMs, knownVersionIds }) => {
      const { claim, waitedMs } = await calls.claimOffered(
        {
          runnerId,
          claimId,
          attempt,
          maxExecutions: most,
          waitMs,
          knownVersionIds: [...knownVersionIds],
          engineStateVersions: READABLE,
        },
        { deadlineMs: waitMs + DEADLINE_MS / 2 },
      );
      return claim === undefined ? undefined : { outcome: toClaimOutcome(claim), waitedMs };
    },
    store: {
      claim: async (ids, stamp, knownVersionIds) =>
        toClaimOutcome(
          await calls.claim({
            ...stamp,
            executionIds: [...ids],
            runnerId,
            knownVersionIds: [...knownVersionIds],
            engineStateVersions: READABLE,
          }),
        ),
      heartbeat: async (claims) => {
        const held = claims.map(({ executionId, fence, isShared, isWaiting, progress }) => ({
          executionId,
          fence,
          ...(isShared ? { shared: true } : {}),
          ...(isWaiting ? { waiting: true } : {}),
          ...(progress === undefined ? {} : { progress: toProgress(progress) }),
        }));
        const { outcomes } = await beats.calls.heartbeat({ runnerId, held }, { deadlineMs: DEADLINE_MS / 2 });
        return claims.map((_, index) => toHeartbeat(outcomes[index]));
      },
      persist: ({ executionId, fence }) => persist({ executionId, fence }),
      checkpoint: async (progress) => {
        const entry = entryOf(progress);
        return sendNodeRuns(progress, (nodeRuns) => checkpoint({ ...entry, nodeRuns }));
      },
      report: async (end) => sendNodeRuns(end, (nodeRuns) => report(toReportEntry(end, nodeRuns))),
      release: async ({ delayMs, ...progress }) => {
        const entry = { ...entryOf(progress), ...(delayMs === undefined ? {} : { delayMs }) };
        return sendNodeRuns(progress, (nodeRuns) => release({ ...entry, nodeRuns }));
      },
      pause: async (pause) => {
        const entry = {
          ...entryOf(checkedPause(pause)),
          lastNode: pause.lastNode,
          resumeAt: pause.resumeAt,
          resumeTokenHash: pause.resumeTokenHash ?? '',
          childExecutionId: pause.childExecutionId ?? '',
          ...(pause.approval === undefined ? {} : { approval: pause.approval }),
          ...(pause.resumeSettings === undefined ? {} : { resumeSettings: pause.resumeSettings }),
          response: pause.response === undefined ? undefined : toResponse(pause.response),
        };
        return sendNodeRuns(pause, (nodeRuns) => wait({ ...entry, nodeRuns }));
      },
      respond: async ({ executionId, fence }, answer, resumeTokenHash) =>
        toOutcome(
          (
            await asked.calls.respond({
              executionId,
              fence,
              response: toResponse(answer),
              ...(resumeTokenHash === undefined ? {} : { resumeTokenHash }),
            })
          ).outcome,
        ),
      startChild: (caller, call) => startChild(asked.calls, runnerId, caller, call),
      acquireSlot: async ({ executionId, fence }, key) =>
        (await asked.calls.acquireSlot({ executionId, fence, key })).outcome === SlotOutcome.SLOT_OUTCOME_ACQUIRED,
      findFirstResult: async ({ executionId, fence }, otherExecutionId) =>
        toFirstResult((await asked.calls.findFirstResult({ executionId, fence, otherExecutionId })).result),
      countModelTokens: async ({ executionId, fence }, tokens, limit) => {
        const counted = await asked.calls.countModelTokens({ executionId, fence, tokens, limit });
        return { ...counted, resetAt: counted.resetAt ?? new Date() };
      },
      readChunk: (claim, chunkId) => readChunk(calls, claim, chunkId),
      readNodeRuns: (claim) => readNodeRuns(calls, claim),
    },
  };
};
