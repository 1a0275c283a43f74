import type { TokenSigner } from '@weft/service-kit/auth';
import { createAuditClient } from './audit';
import {
  createAppsClient,
  createCredentialsClient,
  createDataTablesClient,
  createDeliveriesClient,
  createRetriesClient,
  createSchedulesClient,
  createSubscriptionsClient,
  createVariablesClient,
} from './callers';
import { createEventsClient } from './events';
import { createExecutionsClient } from './executions';
import { createIdentityClient } from './identity';
import { createListeningClient } from './listening';
import { createPeersStatusClient } from './peers-status';
import { createWorkflowsClient } from './workflows';

/** gRPC targets of the services. */
export interface Targets {
  readonly workflowsTarget: string;
  readonly executionsTarget: string;
  readonly credentialsTarget: string;
}

/** Opens the channels to all services that the gateway calls. They connect on first use. */
export const createClients = (targets: Targets, sign: TokenSigner) => {
  const workflows = { target: targets.workflowsTarget, sign };
  const executions = { target: targets.executionsTarget, sign };
  const credentials = { target: targets.credentialsTarget, sign };
  const clients = {
    workflows: createWorkflowsClient(workflows),
    apps: createAppsClient(workflows),
    variables: createVariablesClient(workflows),
    dataTables: createDataTablesClient(workflows),
    deliveries: createDeliveriesClient(workflows),
    schedules: createSchedulesClient(workflows),
    listening: createListeningClient(workflows),
    executions: createExecutionsClient(executions),
    events: createEventsClient(executions),
    retries: createRetriesClient(executions),
    subscriptions: createSubscriptionsClient(executions),
    credentials: createCredentialsClient(credentials),
    identity: createIdentityClient(credentials),
    peersStatus: createPeersStatusClient({ workflows, executions, credentials }),
    audit: createAuditClient([
      { service: 'credentials', ...credentials },
      { service: 'workflows', ...workflows },
      { service: 'executions', ...executions },
    ]),
  };
  return { ...clients, close: () => Object.values(clients).forEach(({ close }) => close()) };
};

/** Clients of all services that the gateway calls. */
export type Clients = ReturnType<typeof createClients>;
