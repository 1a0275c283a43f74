import type { Principal } from '@weft/service-kit/auth';
import type { CredentialStore } from '../ownership/credential';
import type { TransferCredentials } from '../ownership/transfer-credentials';
import { ProjectOwnsData } from '../errors';
import { checkHeir, countOwned, type Ownership } from '../ownership/inheritance';
import type { UserStore } from '../ownership/user';
import { findProject, type ProjectPorts } from './projects';

export interface DeleteProjectPorts extends Pick<ProjectPorts, 'projects' | 'recordAudit' | 'clock'> {
  readonly users: Pick<UserStore, 'findById' | 'removeMembers'>;
  readonly credentials: Pick<CredentialStore, 'countOf' | 'removeGrantsTo'>;
  readonly transferCredentials: TransferCredentials;
  readonly ownership: Ownership;
}

/**
 * Deletes a project. Workflows that another owner receives become inactive.
 * @param transferTo the user or project that receives what it owns; empty: none
 * @throws InvalidRequest, ProjectNotFound, ProjectOwnsData, Unavailable
 */
export type DeleteProject = (actor: Principal, id: string, transferTo: string) => Promise<void>;

const checkOwnsNothing = async (ports: DeleteProjectPorts, id: string): Promise<void> => {
  const owned = await countOwned(ports, id);
  if (Object.values(owned).some((count) => count > 0)) throw new ProjectOwnsData(id, owned);
};

/**
 * Creates the use case. Members are removed before anything moves, so that they create nothing new. The project itself
 * is deleted last, so that an interrupted deletion can be repeated. A running workflow may still create a table, which
 * owners and admins can then move. A closed project stays closed, because its executions keep it as their owner.
 */
export const createDeleteProject = (ports: DeleteProjectPorts): DeleteProject =>
  async function deleteProject(actor, id, transferTo) {
    const { projects, users, ownership, recordAudit, clock } = ports;
    await findProject(projects, id);
    if (transferTo === '') await checkOwnsNothing(ports, id);
    else await checkHeir(ports, id, transferTo, 'The project cannot be deleted.');
    await projects.markDeleting(id, clock());
    await users.removeMembers(id);
    if (transferTo !== '') {
      await ownership.transferOwnership(id, transferTo);
      await ports.transferCredentials(id, transferTo);
    }
    await checkOwnsNothing(ports, id);
    await ports.credentials.removeGrantsTo(id);
    await projects.remove(id);
    await recordAudit({
      action: 'project.delete',
      actor: actor.userId,
      about: { projectId: id, ...(transferTo === '' ? {} : { transferTo }) },
    });
  };
