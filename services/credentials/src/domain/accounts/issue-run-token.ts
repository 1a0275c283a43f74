import { projectsOf, type Principal, type TokenSigner } from '@weft/service-kit/auth';
import { Forbidden } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import type { RecordAudit } from '../audit';
import type { CheckClaim } from '../credentials/use-credential';
import type { ProjectStore } from '../ownership/project';
import { projectsToEdit, type UserStore } from '../ownership/user';

/** The only kind of node that acts for the owner of its workflow. */
const NODE_KIND = 'n8n';

/** A runner's request for a token. */
export interface RunTokenRequest {
  readonly executionId: string;
  readonly fence: number;
  /** Name of the calling node. */
  readonly node: string;
  /** Path of the method to be called. */
  readonly method: string;
}

export interface RunTokenPorts {
  readonly users: Pick<UserStore, 'findById'>;
  readonly projects: Pick<ProjectStore, 'findById'>;
  readonly checkClaim: CheckClaim;
  readonly sign: TokenSigner;
  /** Methods that nodes may call, by path, with their service. */
  readonly delegatedMethods: ReadonlyMap<string, string>;
  readonly recordAudit: RecordAudit;
}

/**
 * Returns a token for one method, signed for the owner of the running workflow with the owner's current role. A project
 * acts as an editor of the project's own objects.
 * @throws Forbidden
 */
export type IssueRunToken = (runner: string, request: RunTokenRequest) => Promise<string>;

/** The user or project for whom a run acts; undefined if the owner is locked or deleted. */
const actorOf = async (
  { users, projects }: Pick<RunTokenPorts, 'users' | 'projects'>,
  ownerId: string,
): Promise<Principal | undefined> => {
  const user = await users.findById(ownerId);
  if (user !== undefined)
    return user.lockedAt === undefined
      ? { userId: user.id, role: user.role, ...projectsOf(projectsToEdit(user), []), inRun: true }
      : undefined;
  const project = await projects.findById(ownerId);
  return project === undefined || project.deletingAt !== undefined
    ? undefined
    : { userId: project.id, role: 'editor', inRun: true };
};

/** Creates the use case. One audit record per node of an execution is stored before its token is returned. */
export const createIssueRunToken = ({
  users,
  projects,
  checkClaim,
  sign,
  delegatedMethods,
  recordAudit,
}: RunTokenPorts): IssueRunToken =>
  async function issueRunToken(runner, { executionId, fence, node, method }) {
    const audience = delegatedMethods.get(method);
    if (audience === undefined) throw new Forbidden('Nodes may not call this method.');
    const claim = isUuid(executionId) ? await checkClaim({ executionId, fence, node, nodeKind: NODE_KIND }) : undefined;
    if (claim === undefined)
      throw new Forbidden('The claim is not valid, or its node is not one that calls this instance.');
    const owner = await actorOf({ users, projects }, claim.ownerId);
    if (owner === undefined)
      throw new Forbidden('The owner of the workflow is locked or does not exist any more.', {
        workflowId: claim.workflowId,
      });
    await recordAudit({
      id: `act:${executionId}:${node.slice(0, 200)}`,
      action: 'run.act',
      actor: `service:${runner}`,
      about: { executionId, workflowId: claim.workflowId, ownerId: owner.userId, node: node.slice(0, 200) },
    });
    return sign(audience, method, owner);
  };
