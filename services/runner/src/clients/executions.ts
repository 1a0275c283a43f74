import { WaitSettings } from '@weft/proto/channels';
import { ExecutionState } from '@weft/proto/executions';
import {
  SlotOutcome,
  CheckpointEntry,
  PersistEntry,
  ReleaseEntry,
  ReportEntry,
  RunnerServiceService,
  WaitEntry,
  type NodeRun,
  type StartChildResponse,
} from '@weft/proto/runner';
import type { TokenSigner } from '@weft/service-kit/auth';
import { KeyedMutex } from '@weft/service-kit/batching';
import { ServiceError } from '@weft/service-kit/errors';
import { createCaller, type Calls } from '@weft/service-kit/grpc';
import { checkLimit, LIMITS } from '@weft/service-kit/limits';
import type { StoredNodeRun } from '../domain/claimed-execution';
import type { ChildAnswer, ChildCall, ExecutionStore, Fenced, Progress, RunPause } from '../domain/execution-store';
import { STATE_VERSIONS, type FileFacts } from '@weft/engine';
import { createEntryBatches, toOutcome } from './entry-batches';
import {
  toChildError,
  toClaimed,
  toFirstResult,
  toHeartbeat,
  toNodeRun,
  toReportEntry,
  toResponse,
} from './execution-messages';
import type { FileChunks } from './file-store';

/** Records above this go by PutChunk, and so do those that would make an entry larger than it may be. */
const CHUNK_ABOVE_BYTES = 1024 * 1024;
const ENTRY_BYTES = 2 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
const DEADLINE_MS = 10_000;
/** Streams that carry calls to the service as a whole. */
const STREAMS = 4;
const READABLE = { readable: [...STATE_VERSIONS.read] };

/** @throws LimitExceeded */
const checkedPause = (pause: RunPause): RunPause => {
  if (pause.resumeSettings !== undefined)
    checkLimit(LIMITS.resumeSettings, WaitSettings.encode(pause.resumeSettings).finish().length);
  return pause;
};

type RunnerCalls = Calls<typeof RunnerServiceService>;

/** The client and the way to close it. */
export interface ExecutionsClient extends FileChunks {
  readonly store: ExecutionStore;
  readonly close: () => void;
}

const piecesOf = ({ executionId, fence }: Fenced, chunkId: string, bytes: Uint8Array) =>
  Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, index) => ({
    executionId,
    fence,
    chunkId,
    data: Buffer.from(bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES)),
  }));

/** A file may be empty, but an upload has at least one message: the one that carries the facts. */
const filePieces = (claim: Fenced, chunkId: string, bytes: Uint8Array, { mimeType, fileName }: FileFacts) => {
  const [first, ...rest] = piecesOf(claim, chunkId, bytes);
  const head = first ?? { executionId: claim.executionId, fence: claim.fence, chunkId, data: Buffer.alloc(0) };
  return [{ ...head, mimeType, ...(fileName === undefined ? {} : { fileName }) }, ...rest];
};

/** The runs whose records have room in the message itself. */
const smallOf = (runs: readonly StoredNodeRun[]): ReadonlySet<StoredNodeRun> => {
  let room = ENTRY_BYTES;
  return new Set(
    runs.filter(({ recordJson: { length } }) => {
      if (length > Math.min(room, CHUNK_ABOVE_BYTES)) return false;
      room -= length;
      return true;
    }),
  );
};

/** Uploads of records follow each other, however many runs have one: the service serves other runners as well. */
const RECORDS = 'records';

/** Stores large records first, so that what names them can be written afterwards. */
const wireNodeRuns = (
  calls: RunnerCalls,
  uploads: KeyedMutex,
  claim: Fenced,
  runs: readonly StoredNodeRun[],
): Promise<NodeRun[]> => {
  const small = smallOf(runs);
  return Promise.all(
    runs.map(async (run) => {
      if (small.has(run)) return toNodeRun(run, undefined);
      const chunkId = `run-${run.executionIndex}`;
      await uploads.take(RECORDS, () =>
        calls.putChunk(piecesOf(claim, chunkId, run.recordJson), { deadlineMs: 3 * DEADLINE_MS }),
      );
      return toNodeRun(run, chunkId);
    }),
  );
};

const readChunk = async (calls: RunnerCalls, { executionId, fence }: Fenced, chunkId: string): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const { data } of calls.getChunk({ executionId, fence, chunkId }, { deadlineMs: 3 * DEADLINE_MS }))
    parts.push(data);
  return Buffer.concat(parts);
};

/** A record too large for a message is named by its chunk. */
const wholeRun = async (calls: RunnerCalls, claim: Fenced, run: NodeRun): Promise<StoredNodeRun> =>
  run.chunkId === '' ? run : { ...run, recordJson: await readChunk(calls, claim, run.chunkId) };

/** Reads node runs from the place on where `runs` ends. */
const readOn = async (calls: RunnerCalls, { executionId, fence }: Fenced, runs: StoredNodeRun[]): Promise<void> => {
  for await (const { nodeRuns } of calls.readNodeRuns(
    { executionId, fence, skip: runs.length },
    { deadlineMs: 3 * DEADLINE_MS },
  )) {
    for (const run of nodeRuns) runs.push(await wholeRun(calls, { executionId, fence }, run));
  }
};

/**
 * All node runs. A read that broke off after its first results continues where it was, so that no run has too many to
 * be resumed.
 */
const readNodeRuns = async (calls: RunnerCalls, claim: Fenced): Promise<StoredNodeRun[]> => {
  const runs: StoredNodeRun[] = [];
  for (;;) {
    const known = runs.length;
    try {
      await readOn(calls, claim, runs);
      return runs;
    } catch (error) {
      if (
        runs.length === known ||
        !(error instanceof ServiceError) ||
        (error.kind !== 'unavailable' && error.kind !== 'timeout')
      )
        throw error;
    }
  }
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
 * The executions service over gRPC. Writes of several runs that come together share a call.
 * @param certifiedAs target of the service, where `targetAddress` is that of one replica
 */
export const createExecutionsClient = (
  targetAddress: string,
  sign: TokenSigner,
  runnerId: string,
  certifiedAs = targetAddress,
): ExecutionsClient => {
  const target = { service: 'executions', target: targetAddress, certifiedAs, sign, background: true };
  // Not a claim: each sending of that has a number.
  const writes = createCaller(RunnerServiceService, {
    ...target,
    // One replica needs one; several are reached by as many streams as may lead to different ones.
    streams: certifiedAs === targetAddress ? STREAMS : 1,
    retried: ['persist', 'checkpoint', 'report', 'wait', 'release'],
  });
  // Requests of nodes do not delay reports of runs; and nothing may delay the renewal of claims.
  const asked = createCaller(RunnerServiceService, {
    ...target,
    retried: ['respond', 'startChild', 'acquireSlot', 'findFirstResult'],
  });
  const beats = createCaller(RunnerServiceService, { ...target, retried: ['heartbeat'], ownConnection: true });
  const { calls } = writes;
  const uploads = new KeyedMutex();
  const persist = createEntryBatches(PersistEntry, (entries) => calls.persist({ entries }));
  const checkpoint = createEntryBatches(CheckpointEntry, (entries) => calls.checkpoint({ entries }));
  const report = createEntryBatches(ReportEntry, (entries) => calls.report({ entries }));
  const release = createEntryBatches(ReleaseEntry, (entries) => calls.release({ entries }));
  const wait = createEntryBatches(WaitEntry, (entries) => calls.wait({ entries }));
  const progressEntry = async (progress: Progress) => {
    checkLimit(LIMITS.engineState, progress.engineState.length);
    return entryOf(progress);
  };
  const entryOf = async (progress: Progress) => ({
    executionId: progress.executionId,
    fence: progress.fence,
    checkpoint: progress.checkpoint,
    nodeRuns: await wireNodeRuns(calls, uploads, progress, progress.nodeRuns),
    engineState: Buffer.from(progress.engineState),
    engineStateVersion: STATE_VERSIONS.written,
    customDataJson: progress.customDataJson,
    resumeTokenHash: progress.resumeTokenHash,
  });
  return {
    close: () => {
      for (const caller of [writes, asked, beats]) caller.close();
    },
    putFile: async (claim, chunkId, bytes, facts) =>
      toOutcome(
        (await calls.putChunk(filePieces(claim, chunkId, bytes, facts), { deadlineMs: 3 * DEADLINE_MS })).outcome,
      ),
    getFile: (claim, id) => readChunk(calls, claim, id),
    store: {
      claim: async (ids, stamp, knownVersionIds) => {
        const { executions, versions, leaseMs, firstLeaseMs, aloneIds, unreadableIds } = await calls.claim({
          ...stamp,
          executionIds: [...ids],
          runnerId,
          knownVersionIds: [...knownVersionIds],
          engineStateVersions: READABLE,
        });
        return {
          claimed: executions.map(toClaimed),
          versions,
          leaseMs,
          ...(firstLeaseMs === undefined ? {} : { firstLeaseMs }),
          aloneIds,
          unreadableIds,
        };
      },
      heartbeat: async (claims) => {
        const held = claims.map(({ executionId, fence, isShared }) => ({
          executionId,
          fence,
          ...(isShared ? { shared: true } : {}),
        }));
        const { outcomes } = await beats.calls.heartbeat({ runnerId, held }, { deadlineMs: DEADLINE_MS / 2 });
        return claims.map((_, index) => toHeartbeat(outcomes[index]));
      },
      persist: ({ executionId, fence }) => persist({ executionId, fence }),
      checkpoint: async (progress) => checkpoint(await progressEntry(progress)),
      report: async (end) => report(toReportEntry(end, await wireNodeRuns(calls, uploads, end, end.nodeRuns))),
      release: async ({ delayMs, ...progress }) =>
        release({ ...(await progressEntry(progress)), ...(delayMs === undefined ? {} : { delayMs }) }),
      pause: async (pause) =>
        wait({
          ...(await progressEntry(checkedPause(pause))),
          lastNode: pause.lastNode,
          resumeAt: pause.resumeAt,
          resumeTokenHash: pause.resumeTokenHash ?? '',
          childExecutionId: pause.childExecutionId ?? '',
          ...(pause.resumeSettings === undefined ? {} : { resumeSettings: pause.resumeSettings }),
          response: pause.response === undefined ? undefined : toResponse(pause.response),
        }),
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
      readChunk: (claim, chunkId) => readChunk(calls, claim, chunkId),
      readNodeRuns: (claim) => readNodeRuns(calls, claim),
    },
  };
};
