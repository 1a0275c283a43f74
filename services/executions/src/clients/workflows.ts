import {
  StartPurpose,
  WorkflowServiceService,
  type PrepareStartResult,
  type StartRequest as RequestMessage,
  type WorkflowVersion,
} from '@weft/proto/workflows';
import type { TokenSigner } from '@weft/service-kit/auth';
import { createBatcher } from '@weft/service-kit/batching';
import { ServiceError } from '@weft/service-kit/errors';
import { createCaller, fromRpcStatus } from '@weft/service-kit/grpc';
import type { PreparedStart, PrepareStart, PrepareStartRequest } from '../domain/start/prepared-start';
import type { FetchVersion } from '../domain/state/version-cache';

/** Calls of the workflows service. */
export interface WorkflowsClient {
  readonly prepareStart: PrepareStart;
  readonly fetchVersion: FetchVersion;
  readonly close: () => void;
}

const DEADLINE_MS = 5_000;
/** Maximum bytes of definitions in one PrepareStarts, below the message limit. */
const MAX_LIST_BYTES = 4_000_000;
/** Maximum number of ids of one GetVersions. */
const MAX_VERSIONS = 20;

const PURPOSES = { call: StartPurpose.START_PURPOSE_CALL, error: StartPurpose.START_PURPOSE_ERROR } as const;

const toPrepared = (message: PrepareStartResult | undefined): PreparedStart | Error => {
  const result = message?.result;
  if (result === undefined) return new Error('PrepareStarts returned no entry for a start.');
  return result.$case === 'prepared' ? result.value : fromRpcStatus(result.value);
};

const toRequest = ({
  workflowId,
  startNode,
  principal,
  purpose,
  definition,
  usePinData,
  plan,
}: PrepareStartRequest): RequestMessage => ({
  workflowId,
  startNode,
  userId: principal?.userId ?? '',
  role: principal?.role ?? '',
  projectIds: [...(principal?.projects ?? [])],
  ...(purpose === undefined ? {} : { purpose: PURPOSES[purpose] }),
  ...(definition === undefined ? {} : { definition }),
  ...(usePinData === true ? { usePinData } : {}),
  ...(plan === undefined ? {} : { plan }),
});

/**
 * Several large definitions may exceed a message, as reported by the service or, without a reason, by the transport;
 * each one alone fits.
 */
const isTooLarge = (error: unknown): boolean =>
  error instanceof ServiceError && (error.kind === 'too-large' || error.kind === 'internal');

/** A client of the workflows service that batches concurrent requests. */
export const createWorkflowsClient = (target: string, sign: TokenSigner): WorkflowsClient => {
  const { calls, close } = createCaller(WorkflowServiceService, {
    service: 'workflows',
    target,
    sign,
    retried: ['prepareStarts', 'getVersions'],
  });
  const prepareStart = createBatcher<PrepareStartRequest, PreparedStart>({
    maxBatch: 200,
    concurrency: 8,
    maxQueued: 10_000,
    // Definitions from the requests; one that is larger is sent alone.
    weight: { of: ({ definition }) => definition?.length ?? 0, max: MAX_LIST_BYTES },
    flush: async (requests) => {
      const starts = requests.map(toRequest);
      const answer = await calls.prepareStarts({ starts }, { deadlineMs: DEADLINE_MS });
      return requests.map((_, index) => toPrepared(answer.results[index]));
    },
  });
  const fetchAll = async (versionIds: readonly string[]): Promise<WorkflowVersion[]> => {
    const { versions } = await calls.getVersions({ versionIds: [...versionIds] }, { deadlineMs: DEADLINE_MS });
    return versions;
  };
  const fetchVersion = createBatcher<string, { readonly version?: WorkflowVersion }>({
    maxBatch: MAX_VERSIONS,
    concurrency: 4,
    maxQueued: 10_000,
    flush: async (wanted) => {
      const versionIds = [...new Set(wanted)];
      const versions = await fetchAll(versionIds).catch((error: unknown) => {
        if (isTooLarge(error) && versionIds.length > 1)
          return Promise.all(versionIds.map((id) => fetchAll([id]))).then((lists) => lists.flat());
        throw error;
      });
      const byId = new Map(versions.map((version) => [version.versionId, { version }]));
      return wanted.map((id) => byId.get(id) ?? {});
    },
  });
  return { prepareStart, fetchVersion: async (versionId) => (await fetchVersion(versionId)).version, close };
};
