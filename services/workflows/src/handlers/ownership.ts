import type { CredentialManager, OwnershipServiceService, TransferOneRequest } from '@weft/proto/ownership';
import { isPermitted, projectsOf, roleOf, type Principal } from '@weft/service-kit/auth';
import { Forbidden, InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import type { UseCases } from '../compose';
import type { OwnedThing } from '../domain/ownership';

const KINDS = { workflowId: 'workflow', variableId: 'variable', dataTableId: 'data-table' } as const;

const thingOf = (thing: TransferOneRequest['thing']): OwnedThing => {
  if (thing === undefined)
    throw new InvalidRequest('The thing to move is missing.', [
      { field: 'thing', message: 'must be workflow_id, variable_id or data_table_id.' },
    ]);
  return { kind: KINDS[thing.$case], id: thing.value };
};

/** The user of a request. @throws Forbidden for one who may not change workflows at all */
const userOf = ({ userId, role, projectIds }: TransferOneRequest): Principal => {
  const known = roleOf(role);
  if (userId === '' || known === undefined || !isPermitted(known, 'workflows:write'))
    throw new Forbidden(`The role ${role.slice(0, 40)} may not do this.`);
  return { userId, role: known, projects: projectIds };
};

/** Undefined for an unknown user, who gets the visibility scope of the credential's owner. */
const managerOf = (manager: CredentialManager | undefined): Principal | undefined => {
  const role = roleOf(manager?.role ?? '');
  if (manager === undefined || role === undefined) return undefined;
  const { userId, projectIds, readProjectIds, inRun } = manager;
  return { userId, role, ...projectsOf(projectIds, readProjectIds), ...(inRun ? { inRun } : {}) };
};

/** OwnershipService over gRPC. */
export const ownershipHandlers = (useCases: UseCases): Handlers<typeof OwnershipServiceService> => ({
  countOwned: async ({ ownerId }) => ({ ...(await useCases.countOwned(ownerId)) }),
  getWorkflowOwner: async ({ workflowId }) => ({ ownerId: await useCases.getWorkflowOwner(workflowId) }),
  transferOwnership: async ({ fromOwnerId, toOwnerId }) => {
    await useCases.transferOwnership(fromOwnerId, toOwnerId);
    return {};
  },
  transferOne: async (request) => {
    await useCases.transferOne(thingOf(request.thing), request.toOwnerId, userOf(request));
    return {};
  },
  recheckHooks: async ({ credentialId }) => {
    await useCases.recheckHooks({ credentialId });
    return {};
  },
  listCredentialWorkflows: async ({ credentialId, ownerId, grantedProjectIds, manager }) => {
    const user = managerOf(manager);
    const question = { credentialId, ownerId, grantedTo: grantedProjectIds, user };
    const { workflows, hasHidden } = await useCases.listCredentialWorkflows(question);
    return { workflows: [...workflows], hasHidden };
  },
});
