import type { WorkflowServiceService } from '@weft/proto/workflows';
import type { Principal } from '@weft/service-kit/auth';
import { Forbidden } from '@weft/service-kit/errors';
import type { AccessRule, CallContext, Handlers } from '@weft/service-kit/grpc';

/** The methods of WorkflowService, each with its messages. */
export type Methods = Handlers<typeof WorkflowServiceService>;

const READ: AccessRule = { users: 'workflows:read' };
const WRITE: AccessRule = { users: 'workflows:write' };
const GATEWAY: AccessRule = { services: ['gateway'] };
const EXECUTIONS: AccessRule = { services: ['executions'] };

/** Who may call what. */
export const ACCESS: Readonly<Record<keyof Methods, AccessRule>> = {
  listWorkflows: READ,
  getWorkflow: { ...READ, ...EXECUTIONS },
  createWorkflow: WRITE,
  replaceWorkflow: WRITE,
  deleteWorkflow: WRITE,
  activateWorkflow: WRITE,
  deactivateWorkflow: WRITE,
  resolveWebhooks: GATEWAY,
  prepareStarts: EXECUTIONS,
  getVersions: EXECUTIONS,
  listNodeTypes: READ,
  getNodeType: READ,
};

/** The user of a call that only users may make. @throws Forbidden for a service that calls for itself. */
export const userOf = ({ principal }: CallContext): Principal => {
  if (principal === undefined) throw new Forbidden('Only a user may do this.');
  return principal;
};
