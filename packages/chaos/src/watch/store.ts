import type { Stack } from '@weft/local-stack';
import { connectDatabase } from '@weft/service-kit/mongo';

/** The fields read from an execution's document. */
export interface ExecutionRow {
  readonly _id: string;
  readonly workflowId: string;
  readonly versionId: string;
  readonly state: string;
  readonly status: string;
  readonly fence: number;
  readonly generation: number;
  readonly crashes: number;
  readonly claimId?: string;
  readonly lease?: { readonly runnerId: string; readonly until: Date };
  readonly publishAt?: Date;
  readonly wait?: {
    readonly checkAt?: Date;
    readonly tokenHash?: string;
    readonly childId?: string;
    readonly resumeAt?: Date;
  };
  readonly idempotencyKey?: string;
  readonly parent?: { readonly executionId: string };
  readonly createdAt: Date;
  readonly finishedAt?: Date;
  readonly error?: { readonly reason: string; readonly message: string };
}

const FIELDS = {
  workflowId: 1,
  versionId: 1,
  state: 1,
  status: 1,
  fence: 1,
  generation: 1,
  crashes: 1,
  claimId: 1,
  lease: 1,
  publishAt: 1,
  wait: 1,
  idempotencyKey: 1,
  parent: 1,
  createdAt: 1,
  finishedAt: 1,
  error: 1,
} as const;

/** The database of a stack, read without its services and proxies. */
export interface StoreReader {
  /** @throws Error while the database is away */
  readonly inStates: (states: readonly string[]) => Promise<ExecutionRow[]>;
  /** Some executions that are being run, with the number of their checkpoints. */
  readonly running: (
    limit: number,
  ) => Promise<{ readonly _id: string; readonly fence: number; readonly checkpoint: number }[]>;
  readonly byIds: (ids: readonly string[]) => Promise<ExecutionRow[]>;
  readonly all: () => Promise<ExecutionRow[]>;
  /** Ids among these that no version has. */
  readonly missingVersions: (ids: readonly string[]) => Promise<string[]>;
  /** Up to `limit` stored pieces of run data, with their stored hash. */
  readonly chunks: (
    limit: number,
  ) => AsyncIterable<{ readonly _id: string; readonly bytes: Buffer; readonly sha256: string }>;
  readonly close: () => Promise<void>;
}

/** Opens the databases of executions and workflows. */
export const openStoreReader = async (stack: Pick<Stack, 'mongodbUri' | 'namespace'>): Promise<StoreReader> => {
  const { connection: executions } = await connectDatabase(stack.mongodbUri, `${stack.namespace}_executions`);
  const { connection: workflows } = await connectDatabase(stack.mongodbUri, `${stack.namespace}_workflows`);
  const rows = executions.collection<ExecutionRow>('executions');
  const find = (filter: Readonly<Record<string, unknown>>): Promise<ExecutionRow[]> =>
    rows.find<ExecutionRow>(filter, { projection: FIELDS }).toArray();
  return {
    inStates: (states) => find({ state: { $in: [...states] } }),
    running: (limit) =>
      rows
        .find<{ _id: string; fence: number; checkpoint: number }>(
          { state: 'running' },
          { projection: { fence: 1, checkpoint: 1 }, limit },
        )
        .toArray(),
    byIds: (ids) => (ids.length === 0 ? Promise.resolve([]) : find({ _id: { $in: [...ids] } })),
    all: () => find({}),
    missingVersions: async (ids) => {
      const wanted = [...new Set(ids)];
      const found = await workflows
        .collection<{ _id: string }>('versions')
        .find({ _id: { $in: wanted } }, { projection: { _id: 1 } })
        .toArray();
      const known = new Set(found.map(({ _id }) => _id));
      return wanted.filter((id) => !known.has(id));
    },
    chunks: async function* (limit) {
      const cursor = executions
        .collection<{ _id: string; bytes: { readonly buffer: Buffer }; sha256: string }>('executionChunks')
        .find({}, { projection: { bytes: 1, sha256: 1 } })
        .limit(limit);
      for await (const { _id, bytes, sha256 } of cursor) yield { _id, sha256, bytes: Buffer.from(bytes.buffer) };
    },
    close: async () => {
      await executions.close();
      await workflows.close();
    },
  };
};
