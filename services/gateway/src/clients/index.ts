import type { TokenSigner } from '@weft/service-kit/auth';
import { type AuditClient, createAuditClient } from './audit';
import {
  createCredentialsClient,
  createDataTablesClient,
  createDeliveriesClient,
  createRetriesClient,
  createSchedulesClient,
  createVariablesClient,
  type CredentialsClient,
  type DataTablesClient,
  type DeliveriesClient,
  type RetriesClient,
  type SchedulesClient,
  type VariablesClient,
} from './callers';
import { createExecutionsClient, type ExecutionsClient } from './executions';
import { createIdentityClient, type IdentityClient } from './identity';
import { createWorkflowsClient, type WorkflowsClient } from './workflows';

/** Clients of all services that the gateway calls. */
export interface Clients {
  readonly workflows: WorkflowsClient;
  readonly variables: VariablesClient;
  readonly dataTables: DataTablesClient;
  readonly deliveries: DeliveriesClient;
  readonly schedules: SchedulesClient;
  readonly executions: ExecutionsClient;
  readonly retries: RetriesClient;
  readonly credentials: CredentialsClient;
  readonly identity: IdentityClient;
  readonly audit: AuditClient;
  readonly close: () => void;
}

/** gRPC targets of the services. */
export interface Targets {
  readonly workflowsTarget: string;
  readonly executionsTarget: string;
  readonly credentialsTarget: string;
}

/** Opens the channels; they connect when first used. */
export const createClients = (
  { workflowsTarget, executionsTarget, credentialsTarget }: Targets,
  sign: TokenSigner,
): Clients => {
  const workflows = createWorkflowsClient({ target: workflowsTarget, sign });
  const variables = createVariablesClient({ target: workflowsTarget, sign });
  const dataTables = createDataTablesClient({ target: workflowsTarget, sign });
  const deliveries = createDeliveriesClient({ target: workflowsTarget, sign });
  const schedules = createSchedulesClient({ target: workflowsTarget, sign });
  const executions = createExecutionsClient({ target: executionsTarget, sign });
  const retries = createRetriesClient({ target: executionsTarget, sign });
  const credentials = createCredentialsClient({ target: credentialsTarget, sign });
  const identity = createIdentityClient({ target: credentialsTarget, sign });
  const audit = createAuditClient([
    { service: 'credentials', target: credentialsTarget, sign },
    { service: 'workflows', target: workflowsTarget, sign },
  ]);
  const close = (): void => {
    for (const client of [
      workflows,
      variables,
      dataTables,
      deliveries,
      schedules,
      executions,
      retries,
      credentials,
      identity,
      audit,
    ])
      client.close();
  };
  return {
    workflows,
    variables,
    dataTables,
    deliveries,
    schedules,
    executions,
    retries,
    credentials,
    identity,
    audit,
    close,
  };
};
