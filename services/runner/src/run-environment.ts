import type { JsonObject } from '@weft/node-catalogue';
import { pickVariables } from '@weft/service-kit/config';
import { ServiceError } from '@weft/service-kit/errors';
import { createFileStore, type FileChunks } from './clients/file-store';
import type { DataTablesClient } from './clients/data-tables';
import type { CredentialsClient } from './clients/credentials';
import type { WorkflowsClient } from './clients/workflows';
import type { Config } from './config';
import type { ClaimedExecution } from './domain/claimed-execution';
import { NodeFailure } from './domain/engine/node-failure';
import type { Clock, CredentialUse } from './domain/engine/ports';
import type { PreparedWorkflow } from './domain/engine/prepare-workflow';
import type { RegexFallback } from './domain/expressions';
import type { ExecutionStore } from './domain/execution-store';
import type { CodeRunner } from './domain/ports/code-runner';
import type { DataTables } from './domain/ports/data-tables';
import type { KeptState } from './domain/ports/kept-state';
import type { MailSender } from './domain/ports/mail';
import type { OutboundHttp } from './domain/ports/outbound-http';
import { retryWhileHeld } from './domain/retry-while-held';
import { Turns } from './domain/turns';
import { NODE_REGISTRY } from './domain/nodes/registry';
import type { RunEnvironment } from './domain/run-execution';
import type { Sleepers } from './domain/sleepers';

/** Node runs of one execution; the service refuses more. */
const NODE_RUNS_MAX = 10_000;

/** Parts of the process that runs work with. */
export interface RunEnvironmentParts {
  readonly store: ExecutionStore;
  readonly credentials: CredentialsClient;
  readonly workflows: WorkflowsClient;
  readonly dataTables: DataTablesClient;
  readonly files: FileChunks;
  readonly outbound: OutboundHttp;
  readonly mail: MailSender;
  readonly code: CodeRunner;
  readonly regexFallback: RegexFallback;
  readonly config: Config;
  readonly clock: () => number;
  readonly isDraining: () => boolean;
  readonly sleepers: Sleepers;
}

const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        reject(new NodeFailure('The run was stopped.'));
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', end);
        resolve();
      }, ms);
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    }),
};

/** What a service refuses is a failure of the node, in the service's words. */
const asNodeFailure = async <Result>(call: Promise<Result>): Promise<Result> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ServiceError && error.kind !== 'unavailable' && error.kind !== 'timeout') throw new NodeFailure(error.message, { cause: error });
    throw error;
  }
};

/** How long nodes wait for the workflows service when it cannot be reached, for example while it restarts. */
const PATIENCE_MS = 10_000;

/** Sends a call that may be repeated until the service answers, or patience ends. */
const patiently = <Result>(send: () => Promise<Result>): Promise<Result> => asNodeFailure(retryWhileHeld(send, AbortSignal.timeout(PATIENCE_MS)));

/** Credentials for the nodes of one claimed execution. */
const credentialUse = (client: CredentialsClient, { executionId, fence }: ClaimedExecution): CredentialUse => ({
  use: ({ node, type, id }): Promise<JsonObject> => asNodeFailure(client.use({ executionId, fence, node, credentialId: id, type })),
});

/** What the workflow of one claimed execution keeps. */
const keptState = (client: WorkflowsClient, claimed: ClaimedExecution, turns: Turns): KeptState => ({
  inTurn: (name, work) => turns.take(`${claimed.workflowId}:${name}`, work),
  read: (name) => patiently(() => client.readState(claimed, name)),
  write: (write) => patiently(() => client.writeState(claimed, write)),
});

/** Data tables, for the nodes of one claimed execution. */
const dataTablesFor = (tables: DataTables): DataTables => ({
  find: (by) => patiently(() => tables.find(by)),
  list: () => patiently(() => tables.list()),
  create: (name, columns) => asNodeFailure(tables.create(name, columns)),
  rename: (id, name) => asNodeFailure(tables.rename(id, name)),
  remove: (id) => asNodeFailure(tables.remove(id)),
  query: (id, query) => patiently(() => tables.query(id, query)),
  insert: (id, rows, operation) => patiently(() => tables.insert(id, rows, operation)),
  update: (id, filter, values, operation) => patiently(() => tables.update(id, filter, values, operation)),
  upsert: (id, filter, values, operation) => patiently(() => tables.upsert(id, filter, values, operation)),
  removeRows: (id, filter, operation) => patiently(() => tables.removeRows(id, filter, operation)),
});

/** Whether a workflow names `$vars` anywhere; found out once for each version that is kept ready. */
const NAMES_VARIABLES = new WeakMap<PreparedWorkflow, boolean>();

const namesVariables = (workflow: PreparedWorkflow): boolean => {
  const known = NAMES_VARIABLES.get(workflow) ?? JSON.stringify(workflow.definition).includes('$vars');
  NAMES_VARIABLES.set(workflow, known);
  return known;
};

/** What every run of this process gets. */
export const createRunEnvironment = ({ store, credentials, workflows, dataTables, files, outbound, mail, code, regexFallback, config, clock, isDraining, sleepers }: RunEnvironmentParts): RunEnvironment => {
  const variables = pickVariables(config.expressionEnvAllow);
  const turns = new Turns();
  return {
    store,
    clock,
    isDraining,
    sleepers,
    surroundings: async (claimed, workflow, links) => ({
      registry: NODE_REGISTRY,
      defaultTimezone: config.defaultTimezone,
      vars: namesVariables(workflow) ? await workflows.readVariables(claimed) : {},
      env: variables,
      regexFallback,
      publicUrl: config.publicUrl,
      nodeRunsMax: NODE_RUNS_MAX,
      ports: {
        http: outbound,
        mail,
        credentials: credentialUse(credentials, claimed),
        clock: systemClock,
        files: createFileStore(files, claimed),
        kept: keptState(workflows, claimed, turns),
        dataTables: dataTablesFor(dataTables.of(claimed)),
        code,
        ...links,
      },
    }),
  };
};
