import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@weft/node-catalogue';
import { KeyedMutex } from '@weft/service-kit/batching';
import { pickVariables } from '@weft/service-kit/config';
import { ServiceError } from '@weft/service-kit/errors';
import { LIMITS } from '@weft/service-kit/limits';
import { createFileStore, type FileChunks } from './clients/file-store';
import type { FileAreaClient } from './clients/file-area';
import type { InstanceClient } from './clients/instance';
import type { DataTablesClient } from './clients/data-tables';
import type { CredentialsClient } from './clients/credentials';
import type { WorkflowsClient } from './clients/workflows';
import type { Config } from './config';
import {
  type Clock,
  createResumeTokens,
  type CredentialUse,
  type DataTable,
  type DataTables,
  type FileArea,
  type PersistentState,
  NodeFailure,
  type PreparedWorkflow,
  type RunDeps,
  type TableColumn,
} from '@weft/engine';
import { behindBarrier, type Barrier } from './domain/barrier';
import { ownerKeyOf, type ClaimedExecution } from './domain/claimed-execution';
import type { RegexFallback } from '@weft/expressions';
import type { ExecutionStore } from './domain/execution-store';
import type { RunnerPools } from './pools/open-pools';
import {
  allowsUrl,
  type Databases,
  type MailSender,
  type OutboundHttp,
  parseAllowList,
  type RemoteServers,
} from '@weft/outbound';
import type { Reach } from './domain/reach';
import { isRefusal } from './domain/retry-while-held';
import { NODE_REGISTRY } from '@weft/nodes/executors';
import type { RunEnvironment } from './domain/run-execution';
import type { MemoryBudget } from './domain/memory-budget';
import type { InProcessWaits } from './domain/in-process-waits';
import { traceHttp, traceNodes } from './observing/run-spans';

/** Parts of the process that runs work with. */
export interface RunEnvironmentParts {
  readonly store: ExecutionStore;
  readonly credentials: CredentialsClient;
  readonly workflows: WorkflowsClient;
  readonly dataTables: DataTablesClient;
  readonly fileArea: FileAreaClient;
  readonly instance: InstanceClient;
  readonly files: FileChunks;
  readonly outbound: OutboundHttp;
  readonly mail: MailSender;
  readonly databases: Databases;
  readonly remote: RemoteServers;
  readonly sandboxes: RunnerPools['code'];
  readonly formats: RunnerPools['formats'];
  readonly regexFallback: RegexFallback;
  readonly config: Config;
  readonly clock: () => number;
  readonly isDraining: () => boolean;
  readonly inProcessWaits: InProcessWaits;
  readonly memory: MemoryBudget;
  readonly onNodeRun: NonNullable<RunEnvironment['onNodeRun']>;
}

const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await sleep(ms, undefined, { signal });
    } catch {
      throw new NodeFailure('The run was stopped.');
    }
  },
};

/**
 * A refusal by a service is a failure of the node, in the service's words. Other errors pass through:
 * the run is aborted then.
 */
const refusalsFail =
  (reach: Reach): Reach =>
  async (call) => {
    try {
      return await reach(call);
    } catch (error) {
      if (!(error instanceof ServiceError) || !isRefusal(error)) throw error;
      const details = error.fields.map(({ field, message }) => `${field} ${message}`).join(' ');
      throw new NodeFailure(error.message, { cause: error, ...(details === '' ? {} : { description: details }) });
    }
  };

/** Credentials for the nodes of one claimed execution. */
const credentialUse = (
  client: CredentialsClient,
  { executionId, fence }: ClaimedExecution,
  reach: Reach,
): CredentialUse => ({
  use: ({ node, type, id }): Promise<JsonObject> =>
    reach(() => client.use({ executionId, fence, node, credentialId: id, type })),
});

/** Data that the workflow of one claimed execution retains. */
const persistentState = (
  client: WorkflowsClient,
  store: Pick<ExecutionStore, 'findFirstResult'>,
  claimed: ClaimedExecution,
  turns: KeyedMutex,
  reach: Reach,
): PersistentState => ({
  inTurn: (name, work) => turns.take(`${claimed.workflowId}:${name}`, work),
  read: (name) => reach(() => client.readState(claimed, name)),
  write: (write) => reach(() => client.writeState(claimed, write)),
  firstResult: (executionId) => reach(() => store.findFirstResult(claimed, executionId)),
});

/** The file area of the workflow, for the nodes of one claimed execution. */
const fileAreaFor = (area: FileArea, reach: Reach): FileArea => ({
  list: () => reach(() => area.list()),
  read: (path) => reach(() => area.read(path)),
  write: (write) => reach(() => area.write(write)),
});

const hasReason = (error: unknown, reason: string): boolean => error instanceof ServiceError && error.reason === reason;

/** Data tables, for the nodes of one claimed execution. */
const dataTablesFor = (tables: DataTables, reach: Reach): DataTables => ({
  find: (by) => reach(() => tables.find(by)),
  list: () => reach(() => tables.list()),
  create: (name, columns) =>
    reach(async (triesBefore) => {
      try {
        return await tables.create(name, columns);
      } catch (error) {
        // The answer to an earlier try was lost, and the table is the one that it made.
        const made =
          triesBefore > 0 && hasReason(error, 'DATA_TABLE_NAME_TAKEN') ? await tables.find({ name }) : undefined;
        if (made === undefined || !hasColumns(made, columns)) throw error;
        return made;
      }
    }),
  rename: (id, name) => reach(() => tables.rename(id, name)),
  remove: (id) =>
    reach(async (triesBefore) => {
      try {
        await tables.remove(id);
      } catch (error) {
        if (triesBefore === 0 || !hasReason(error, 'DATA_TABLE_NOT_FOUND')) throw error;
      }
    }),
  query: (id, query) => reach(() => tables.query(id, query)),
  insert: (id, rows, operation) => reach(() => tables.insert(id, rows, operation)),
  update: (id, filter, values, operation) => reach(() => tables.update(id, filter, values, operation)),
  upsert: (id, filter, values, operation) => reach(() => tables.upsert(id, filter, values, operation)),
  removeRows: (id, filter, operation) => reach(() => tables.removeRows(id, filter, operation)),
});

const hasColumns = (table: DataTable, columns: readonly TableColumn[]): boolean =>
  table.columns.length === columns.length &&
  columns.every(({ name, type }, index) => table.columns[index]?.name === name && table.columns[index]?.type === type);

/** True if a workflow names `$vars` anywhere; determined once for each version that is cached. */
const NAMES_VARIABLES = new WeakMap<PreparedWorkflow, boolean>();

const namesVariables = (workflow: PreparedWorkflow): boolean => {
  const known = NAMES_VARIABLES.get(workflow) ?? JSON.stringify(workflow.definition).includes('$vars');
  NAMES_VARIABLES.set(workflow, known);
  return known;
};

type ReadVariables = (
  claimed: ClaimedExecution,
  reach: Reach,
  barrier: Barrier,
) => Promise<Readonly<Record<string, string>>>;

const measured = (aroundNode: RunDeps['aroundNode']): Pick<RunDeps, 'aroundNode'> =>
  aroundNode === undefined ? {} : { aroundNode };

/** Dependencies of every run of this process. */
export const createRunEnvironment = ({
  store,
  credentials,
  workflows,
  dataTables,
  fileArea,
  instance,
  files,
  outbound,
  mail,
  databases,
  remote,
  sandboxes,
  formats,
  regexFallback,
  config,
  clock,
  isDraining,
  inProcessWaits,
  memory,
  onNodeRun,
}: RunEnvironmentParts): RunEnvironment => {
  const resumeToken = createResumeTokens(config.serviceKey);
  const variables = pickVariables(config.expressionEnvAllow);
  const turns = new KeyedMutex();
  const traceHosts = parseAllowList(config.outboundTraceHosts, 'OUTBOUND_TRACE_HOSTS');
  const isTraceTold = (url: URL): boolean => allowsUrl(traceHosts, url);
  /** Workflows gives them to a claim that it can ask about. */
  const readVariables: ReadVariables = async (claimed, reach, barrier) => {
    await barrier();
    return reach(() => workflows.readVariables(claimed));
  };
  return {
    store,
    clock,
    isDraining,
    memory,
    inProcessWaits,
    onNodeRun,
    releaseAfterMs: config.releaseAfterMs,
    deps: async (claimed, workflow, runPorts, { reach, outside, memory: account, barrier }) => ({
      registry: NODE_REGISTRY,
      defaultTimezone: config.defaultTimezone,
      vars: namesVariables(workflow) ? await readVariables(claimed, reach, barrier) : {},
      env: variables,
      regexFallback,
      publicUrl: config.publicUrl,
      resumeToken,
      nodeRunsMax: LIMITS.nodeRuns.max,
      ...measured(traceNodes()),
      ports: behindBarrier(
        {
          http: traceHttp(account.http(outside.http(outbound)), isTraceTold),
          mail: outside.mail(mail),
          databases: account.databases(outside.databases(databases)),
          remote: account.remote(outside.remote(remote)),
          credentials: credentialUse(credentials, claimed, refusalsFail(reach)),
          clock: systemClock,
          files: createFileStore(files, claimed, reach),
          persistentState: persistentState(workflows, store, claimed, turns, refusalsFail(reach)),
          fileArea: fileAreaFor(fileArea.of(claimed), refusalsFail(reach)),
          instance: instance.of(claimed, refusalsFail(reach)),
          dataTables: dataTablesFor(dataTables.of(claimed), refusalsFail(reach)),
          code: sandboxes.of(ownerKeyOf(claimed)),
          formats: formats.of(ownerKeyOf(claimed)),
          ...runPorts,
        },
        barrier,
      ),
    }),
  };
};
