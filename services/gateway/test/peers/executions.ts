import {
  ExecutionMode,
  ExecutionServiceService,
  ExecutionState,
  ExecutionStatus,
  StartWait,
  type Execution,
  type ExecutionStart,
  type FindWaitResponse,
  type PollExecutionResponse,
  type HttpResponse,
  type PutInputFileRequest,
  type ReadBinaryResponse,
  type StartedExecution,
} from '@weft/proto/executions';
import { ServiceError } from '@weft/service-kit/errors';
import { bindService, toRpcStatus, type Handlers } from '@weft/service-kit/grpc';
import { createFake } from './fake';

/** A successful execution. */
export const executionOf = (id: string, over: Partial<Execution> = {}): Execution => ({
  id,
  workflowId: 'w1',
  versionId: 'v1',
  ownerId: 'owner',
  mode: ExecutionMode.EXECUTION_MODE_TRIGGER,
  state: ExecutionState.EXECUTION_STATE_SUCCESS,
  status: ExecutionStatus.EXECUTION_STATUS_SUCCESS,
  createdAt: new Date('2026-01-02T03:04:05.000Z'),
  startedAt: new Date('2026-01-02T03:04:05.600Z'),
  finishedAt: new Date('2026-01-02T03:04:06.700Z'),
  lastNode: 'Set',
  error: undefined,
  crashes: 0,
  nodeRunCount: 2,
  approvals: [],
  ...over,
});

/** The error for an id of no execution. */
export const notFound = (executionId: string): ServiceError =>
  new ServiceError({
    reason: 'EXECUTION_NOT_FOUND',
    kind: 'not-found',
    message: `No execution has the id ${executionId}.`,
    details: { executionId },
  });

const read = { users: 'executions:read' as const };
const write = { users: 'executions:write' as const };
const inside = { services: ['gateway'] };
const access = {
  startExecution: { ...write, ...inside },
  startPartialExecution: { ...write, ...inside },
  startExecutions: inside,
  getExecution: read,
  readExecutionData: read,
  readBinary: { ...read, ...inside },
  getNodeRun: read,
  readItems: read,
  listExecutions: read,
  listLatestExecutions: read,
  getExecutionCounts: { users: 'audit:read' as const },
  deleteExecution: write,
  cancelExecution: write,
  decideApproval: { users: 'workflows:write' as const },
  replyToChat: { users: 'workflows:write' as const },
  resumeExecution: { ...write, ...inside },
  findWait: inside,
  pollExecution: inside,
  putInputFile: inside,
  checkClaim: inside,
  findReferencedVersions: inside,
};

/** An executions service that stores its input in memory and runs nothing. */
export const fakeExecutions = () => {
  const fake = createFake();
  const stored = new Map<string, Execution>();
  /** Chunks of run data by execution. */
  const data = new Map<string, readonly string[]>();
  /** Waiting executions by token. Resuming one removes it. */
  const waits = new Map<string, Partial<FindWaitResponse>>();
  /** Responses of PollExecution by token or idempotency key. A missing one is unknown. */
  const trails = new Map<string, Partial<PollExecutionResponse>>();
  /** Files stored for starts, by reference. */
  const inputFiles = new Map<
    string,
    {
      readonly executionId: string;
      readonly mimeType: string | undefined;
      readonly fileName: string | undefined;
      readonly bytes: Buffer;
    }
  >();
  /** Chunks of files by reference. */
  const files = new Map<string, readonly ReadBinaryResponse[]>();
  const told: { answer: HttpResponse | undefined; startFailure: ServiceError | undefined; resumedWith?: string } = {
    answer: undefined,
    startFailure: undefined,
  };
  let made = 0;
  const find = (id: string): Execution => {
    const execution = stored.get(id);
    if (execution === undefined) throw notFound(id);
    return execution;
  };
  /** Ids by the keys of events. */
  const events = new Map<string, string>();
  const idOf = ({ eventKey, executionId = '' }: ExecutionStart): string => {
    made += 1;
    if (eventKey === undefined) return `e${made}`;
    const id = events.get(eventKey) ?? executionId;
    events.set(eventKey, id);
    return id;
  };
  const begin = (start: ExecutionStart): StartedExecution => {
    const { wait } = start;
    if (told.startFailure !== undefined) throw told.startFailure;
    const execution = executionOf(idOf(start));
    return {
      executionId: execution.id,
      existing: false,
      response: wait === StartWait.START_WAIT_RESPONSE ? told.answer : undefined,
      ended: wait === StartWait.START_WAIT_END ? execution : undefined,
    };
  };
  const missing = new ServiceError({ reason: 'INVALID_REQUEST', kind: 'invalid', message: 'No start.' });
  const handlers: Handlers<typeof ExecutionServiceService> = {
    listLatestExecutions: (request, context) =>
      fake.act('listLatestExecutions', request, context, () => ({
        workflows: request.workflowIds.map((workflowId) => ({
          workflowId,
          executions: [...stored.values()].filter((one) => one.workflowId === workflowId),
        })),
      })),
    getExecutionCounts: (request, context) =>
      fake.act('getExecutionCounts', request, context, () => ({
        queued: 1,
        running: 2,
        waiting: 3,
        failedLastHour: 4,
        oldestQueuedAt: new Date('2026-01-02T03:04:05.678Z'),
      })),
    startExecution: (request, context) =>
      fake.act('startExecution', request, context, () => {
        if (request.start === undefined) throw missing;
        return { started: begin(request.start) };
      }),
    startPartialExecution: (request, context) =>
      fake.act('startPartialExecution', request, context, () => {
        if (request.start === undefined) throw missing;
        return { started: begin(request.start), reused: request.reuseFrom === '' ? [] : ['Start'] };
      }),
    startExecutions: (request, context) =>
      fake.act('startExecutions', request, context, () => ({
        results: request.starts.map((start) => {
          try {
            return { result: { $case: 'started' as const, value: begin(start) } };
          } catch (error) {
            return {
              result: {
                $case: 'error' as const,
                value: toRpcStatus(error instanceof ServiceError ? error : missing),
              },
            };
          }
        }),
      })),
    getExecution: (request, context) =>
      fake.act('getExecution', request, context, () => ({ execution: find(request.executionId) })),
    async *readExecutionData(request, context) {
      const parts = await fake.act('readExecutionData', request, context, () => {
        find(request.executionId);
        return data.get(request.executionId) ?? ['{"resultData":{"runData":{}}}'];
      });
      for (const part of parts) {
        if (part === 'BREAK') throw notFound('mid');
        yield { jsonPart: Buffer.from(part) };
      }
    },
    getNodeRun: (request, context) =>
      fake.act('getNodeRun', request, context, () => {
        find(request.executionId);
        return {
          node: 'Set',
          run: 1,
          executionIndex: request.executionIndex,
          failed: false,
          bytes: 123,
          outputItems: [2, 0],
          recordJson: Buffer.from('{"startTime":1,"hints":[]}'),
        };
      }),
    async *readItems(request, context) {
      const parts = await fake.act('readItems', request, context, () => {
        find(request.executionId);
        return [{ jsonPart: Buffer.from('[{"json":{}},') }, { jsonPart: Buffer.from('{"json":{"a":1}}]'), total: 7 }];
      });
      yield* parts;
    },
    async *readBinary(request, context) {
      const pieces = await fake.act('readBinary', request, context, () => {
        find(request.executionId);
        return files.get(request.fileId) ?? [];
      });
      for (const piece of pieces) {
        if (piece.data.toString() === 'BREAK') throw notFound('mid');
        yield piece;
      }
    },
    listExecutions: (request, context) =>
      fake.act('listExecutions', request, context, () => {
        if (request.cursor !== '' && !/^\d+$/.test(request.cursor))
          throw new ServiceError({
            reason: 'INVALID_REQUEST',
            kind: 'invalid',
            message: 'The cursor cannot be used.',
            fields: [{ field: 'cursor', message: 'Use nextCursor.' }],
          });
        const all = [...stored.values()];
        const from = Number(request.cursor);
        return {
          executions: all.slice(from, from + request.limit),
          nextCursor: from + request.limit < all.length ? String(from + request.limit) : '',
        };
      }),
    deleteExecution: (request, context) =>
      fake.act('deleteExecution', request, context, () => {
        stored.delete(find(request.executionId).id);
        return {};
      }),
    cancelExecution: (request, context) =>
      fake.act('cancelExecution', request, context, () => ({ execution: find(request.executionId) })),
    decideApproval: (request, context) =>
      fake.act('decideApproval', request, context, () => ({ execution: find(request.executionId) })),
    replyToChat: (request, context) =>
      fake.act('replyToChat', request, context, () => ({ execution: find(request.executionId) })),
    findWait: (request, context) =>
      fake.act('findWait', request, context, () => {
        const wait = waits.get(request.resumeToken);
        if (wait === undefined)
          throw new ServiceError({
            reason: 'RESUME_TOKEN_UNKNOWN',
            kind: 'not-found',
            message: 'No execution waits at this address.',
          });
        return { executionId: 'e1', generation: 3, workflowId: 'w1', ownerId: 'owner', ...wait };
      }),
    resumeExecution: (request, context) =>
      fake.act('resumeExecution', request, context, () => {
        told.resumedWith = request.input.toString();
        if (!waits.delete(request.resumeToken))
          throw new ServiceError({ reason: 'EXECUTION_NOT_WAITING', kind: 'conflict', message: 'It no longer waits.' });
        return {
          resumed: {
            executionId: 'e1',
            existing: true,
            response: request.wait === StartWait.START_WAIT_RESPONSE ? told.answer : undefined,
            ended: undefined,
          },
        };
      }),
    pollExecution: (request, context) =>
      fake.act('pollExecution', request, context, () => {
        const trail = trails.get(request.resumeToken === '' ? request.idempotencyKey : request.resumeToken);
        if (trail === undefined)
          throw new ServiceError({
            reason: request.resumeToken === '' ? 'EXECUTION_NOT_FOUND' : 'RESUME_TOKEN_UNKNOWN',
            kind: 'not-found',
            message: 'Not known.',
          });
        return { polled: undefined, waiting: undefined, ...trail };
      }),
    putInputFile: async (requests, context) => {
      const parts: PutInputFileRequest[] = [];
      for await (const part of requests) parts.push(part);
      const [first] = parts;
      return fake.act('putInputFile', first, context, () => {
        const { executionId = '', fileKey = '', mimeType, fileName } = first ?? {};
        const bytes = Buffer.concat(parts.map(({ data: part }) => part));
        const ref = `${executionId}.0.file-${fileKey}`;
        inputFiles.set(ref, { executionId, mimeType, fileName, bytes });
        return { fileId: ref, size: bytes.length };
      });
    },
    checkClaim: (request, context) =>
      fake.act('checkClaim', request, context, () => ({ granted: false, workflowId: '', ownerId: '' })),
    findReferencedVersions: (request, context) =>
      fake.act('findReferencedVersions', request, context, () => ({ versionIds: [] })),
  };
  return {
    ...fake,
    stored,
    data,
    waits,
    trails,
    inputFiles,
    files,
    told,
    bound: bindService(ExecutionServiceService, handlers, access),
  };
};
