import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Clock,
  type CredentialUse,
  type DataTable,
  type DataTables,
  type FileArea,
  type FileStore,
  type InstanceApi,
  missingCredential,
  NodeFailure,
  type NodePorts,
  type PersistentState,
  type TableColumn,
} from '@weft/engine';
import type { JsonObject } from '@weft/node-catalogue';
import type { Databases, MailSender, OutboundHttp, OutboundStreams, RemoteServers } from '@weft/outbound';
import type { KeyedMutex } from '@weft/service-kit/batching';
import { ServiceError } from '@weft/service-kit/errors';
import type { CredentialsClient } from './clients/credentials';
import type { DataTablesClient } from './clients/data-tables';
import type { FileAreaClient } from './clients/file-area';
import { createFileStore, type FileChunks } from './clients/file-store';
import type { InstanceClient } from './clients/instance';
import type { WorkflowsClient } from './clients/workflows';
import { ownerKeyOf, type ClaimedExecution } from './domain/claims/claimed-execution';
import type { ExecutionStore } from './domain/claims/held/execution-store';
import type { Reach } from './domain/claims/shares/reach';
import { isRefusal } from './domain/claims/held/retry-while-held';
import type { RunPorts, RunWays } from './domain/run/environment';
import type { RunTexts } from './domain/streams/run-texts';
import { traceHttp, traceStreams } from './observing/run-spans';
import type { RunnerPools } from './pools/open-pools';

/** Dependencies of the ports of runs. */
export interface PortParts {
  readonly store: ExecutionStore;
  readonly credentials: CredentialsClient;
  readonly workflows: WorkflowsClient;
  readonly dataTables: DataTablesClient;
  readonly fileArea: FileAreaClient;
  readonly instance: InstanceClient;
  readonly files: FileChunks;
  readonly outbound: OutboundHttp & OutboundStreams;
  readonly mail: MailSender;
  readonly databases: Databases;
  readonly remote: RemoteServers;
  readonly sandboxes: RunnerPools['code'];
  readonly formats: RunnerPools['formats'];
  readonly texts: RunTexts;
  /** True for addresses that may receive the trace of a run. */
  readonly isTraceTold: (url: URL) => boolean;
  /** Serialises access to the state of workflows. */
  readonly turns: KeyedMutex;
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
 * A refusal by a service becomes a node failure with the service's message. Other errors pass through and abort the
 * run.
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
  use: async ({ node, type, id, name, refusedTokenHash }): Promise<JsonObject> => {
    const refused = refusedTokenHash === undefined ? {} : { refusedTokenHash };
    try {
      return await reach(() => client.use({ executionId, fence, node, credentialId: id, type, ...refused }));
    } catch (error) {
      if (!(error instanceof NodeFailure) || !hasReason(error.cause, 'CREDENTIAL_NOT_FOUND')) throw error;
      throw missingCredential({ type, id, ...(name === undefined ? {} : { name }) }, error);
    }
  },
});

/** Persistent state of the workflow of one claimed execution. */
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
        // The response to an earlier try was lost, and it created this table.
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

/** The ports of one claimed execution. Each is created on first use: most runs use two or three of them. */
export class RunPortsOnUse implements NodePorts {
  readonly clock = systemClock;
  readonly startChild: NodePorts['startChild'];
  readonly respond: NodePorts['respond'];
  readonly #parts: PortParts;
  readonly #claimed: ClaimedExecution;
  readonly #ways: RunWays;
  #http: OutboundHttp | undefined;
  #streams: OutboundStreams | undefined;
  #mail: MailSender | undefined;
  #databases: Databases | undefined;
  #remote: RemoteServers | undefined;
  #credentials: CredentialUse | undefined;
  #files: FileStore | undefined;
  #persistentState: PersistentState | undefined;
  #fileArea: FileArea | undefined;
  #instance: InstanceApi | undefined;
  #dataTables: DataTables | undefined;
  #code: NodePorts['code'] | undefined;
  #formats: NodePorts['formats'] | undefined;
  #texts: NodePorts['texts'];

  constructor(parts: PortParts, claimed: ClaimedExecution, { startChild, respond }: RunPorts, ways: RunWays) {
    this.startChild = startChild;
    this.respond = respond;
    this.#parts = parts;
    this.#claimed = claimed;
    this.#ways = ways;
  }

  get http(): OutboundHttp {
    const { outbound, isTraceTold } = this.#parts;
    const { memory, outside } = this.#ways;
    return (this.#http ??= traceHttp(memory.http(outside.http(outbound)), isTraceTold));
  }

  get streams(): OutboundStreams {
    const { outbound, isTraceTold } = this.#parts;
    const { memory, outside } = this.#ways;
    return (this.#streams ??= traceStreams(memory.streams(outside.streams(outbound)), isTraceTold));
  }

  get mail(): MailSender {
    return (this.#mail ??= this.#ways.outside.mail(this.#parts.mail));
  }

  get databases(): Databases {
    const { memory, outside } = this.#ways;
    return (this.#databases ??= memory.databases(outside.databases(this.#parts.databases)));
  }

  get remote(): RemoteServers {
    const { memory, outside } = this.#ways;
    return (this.#remote ??= memory.remote(outside.remote(this.#parts.remote)));
  }

  get credentials(): CredentialUse {
    return (this.#credentials ??= credentialUse(this.#parts.credentials, this.#claimed, this.#refusable()));
  }

  get files(): FileStore {
    return (this.#files ??= createFileStore(this.#parts.files, this.#claimed, this.#ways.reach));
  }

  get persistentState(): PersistentState {
    const { workflows, store, turns } = this.#parts;
    return (this.#persistentState ??= persistentState(workflows, store, this.#claimed, turns, this.#refusable()));
  }

  get fileArea(): FileArea {
    return (this.#fileArea ??= fileAreaFor(this.#parts.fileArea.of(this.#claimed), this.#refusable()));
  }

  get instance(): InstanceApi {
    return (this.#instance ??= this.#parts.instance.of(this.#claimed, this.#refusable()));
  }

  get dataTables(): DataTables {
    return (this.#dataTables ??= dataTablesFor(this.#parts.dataTables.of(this.#claimed), this.#refusable()));
  }

  get code(): NodePorts['code'] {
    return (this.#code ??= this.#parts.sandboxes.of(ownerKeyOf(this.#claimed)));
  }

  get formats(): NodePorts['formats'] {
    return (this.#formats ??= this.#parts.formats.of(ownerKeyOf(this.#claimed)));
  }

  get texts(): NonNullable<NodePorts['texts']> {
    return (this.#texts ??= this.#parts.texts.of(this.#claimed));
  }

  #refusable(): Reach {
    return refusalsFail(this.#ways.reach);
  }
}
