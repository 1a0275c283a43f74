import { CredentialServiceService } from '@weft/proto/credentials';
import { ExecutionServiceService } from '@weft/proto/executions';
import { WorkflowServiceService } from '@weft/proto/workflows';
import type { TokenSigner } from '@weft/service-kit/auth';
import { createCaller, type Calls } from '@weft/service-kit/grpc';
import type { Json } from '@weft/node-catalogue';
import type { InstanceApi, InstanceCall } from '@weft/engine';
import type { Config } from '../config';
import type { ClaimedExecution } from '../domain/claims/claimed-execution';
import type { Reach } from '../domain/claims/shares/reach';
import type { CredentialsClient } from './credentials';
import { type Act, DEADLINE_MS, unsupported } from './instance-call';
import { credentialCalls } from './instance-credentials';
import { executionCalls } from './instance-executions';
import { workflowCalls } from './instance-workflows';

/** The public API of the services, as nodes use it on behalf of workflow owners. */
export interface InstanceClient {
  /**
   * Returns the API for one run. `reach` repeats calls without a response, and converts refusals into node failures.
   */
  readonly of: (claimed: ClaimedExecution, reach: Reach) => InstanceApi;
  readonly close: () => void;
}

interface Services {
  readonly workflows: Calls<typeof WorkflowServiceService>;
  readonly executions: Calls<typeof ExecutionServiceService>;
  readonly credentials: Calls<typeof CredentialServiceService>;
}

const answer = (services: Services, claimed: ClaimedExecution, act: Act, request: InstanceCall): Promise<Json> => {
  const workflows = workflowCalls(services.workflows, act, claimed);
  const executions = executionCalls(services.executions, act);
  const credentials = credentialCalls(services.credentials, act, claimed);
  switch (request.call) {
    case 'listWorkflows':
      return workflows.list(request.page, request.filter);
    case 'getWorkflow':
      return workflows.get(request.workflowId);
    case 'getWorkflowVersion':
      return workflows.getVersion(request.workflowId, request.versionId);
    case 'createWorkflow':
      return workflows.create(request.workflow);
    case 'updateWorkflow':
      return workflows.update(request.workflowId, request.workflow);
    case 'deleteWorkflow':
      return workflows.remove(request.workflowId);
    case 'activateWorkflow':
      return workflows.activate(request.workflowId, request.publication.versionId);
    case 'deactivateWorkflow':
      return workflows.deactivate(request.workflowId);
    case 'listExecutions':
      return executions.list(request);
    case 'getExecution':
      return executions.get(request.executionId, request.includeData);
    case 'deleteExecution':
      return executions.remove(request.executionId);
    case 'createCredential':
      return credentials.create(request.name, request.type, request.data);
    case 'deleteCredential':
      return credentials.remove(request.credentialId);
    case 'getCredentialSchema':
      throw unsupported(
        'This instance has no credential schemas',
        'The fields of each type are in the documentation of the node that uses it.',
      );
    case 'generateAudit':
      throw unsupported('This instance does not support risk reports', 'GET /api/v1/audit returns its audit log.');
  }
};

const originOf = (url: string): string | undefined => {
  try {
    return new URL(url).origin;
  } catch {
    // Not a valid address, so not that of this instance.
    return undefined;
  }
};

/** The services over gRPC. Each call uses a token for its method, issued by credentials for the run. */
export const createInstanceClient = (
  {
    workflowsTarget,
    executionsTarget,
    credentialsTarget,
    publicUrl,
  }: Pick<Config, 'workflowsTarget' | 'executionsTarget' | 'credentialsTarget' | 'publicUrl'>,
  sign: TokenSigner,
  issueRunToken: CredentialsClient['issueRunToken'],
): InstanceClient => {
  const shared = { sign, background: true };
  const workflows = createCaller(WorkflowServiceService, { ...shared, service: 'workflows', target: workflowsTarget });
  const executions = createCaller(ExecutionServiceService, {
    ...shared,
    service: 'executions',
    target: executionsTarget,
  });
  const credentials = createCaller(CredentialServiceService, {
    ...shared,
    service: 'credentials',
    target: credentialsTarget,
  });
  const services = { workflows: workflows.calls, executions: executions.calls, credentials: credentials.calls };
  const here = originOf(publicUrl);
  return {
    of: (claimed, reach) => ({
      isHere: (url) => Promise.resolve(here !== undefined && originOf(url) === here),
      call: async (node, request) => {
        const { executionId, fence } = claimed;
        const act: Act = ({ path }, call) =>
          reach(async (triesBefore) => {
            const token = await issueRunToken({ executionId, fence, node, method: path });
            return call({ token, deadlineMs: DEADLINE_MS }, triesBefore);
          });
        const json = await answer(services, claimed, act, request);
        return { json, bytes: JSON.stringify(json).length };
      },
    }),
    close: () => {
      for (const caller of [workflows, executions, credentials]) caller.close();
    },
  };
};
