import { projectsOf, type Principal, type TokenSigner } from '@weft/service-kit/auth';
import { Forbidden } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import type { RecordAudit } from '../audit';
import type { CheckClaim } from '../credentials/use-credential';
import type { ProjectStore } from '../ownership/project';
import { projectsToEdit, type UserStore } from '../ownership/user';

/** The only kind whose nodes act for the owner of their workflow. */
const NODE_KIND = 'n8n';

/** Request of a runner for a token. */
export interface RunTokenRequest {
  readonly executionId: string;
  readonly fence: number;
  /** Name of the node that calls. */
  readonly node: string;
  /** Path of the method that it calls. */
  readonly method: string;
}

/** Dependencies of the use case. */
export interface RunTokenPorts {
  readonly users: Pick<UserStore, 'findById'>;
  readonly projects: Pick<ProjectStore, 'findById'>;
  readonly checkClaim: CheckClaim;
  readonly sign: TokenSigner;
  /** Services by the path of the methods that nodes may call. */
  readonly delegatedMethods: ReadonlyMap<string, string>;
  readonly recordAudit: RecordAudit;
}

/**
 * Returns a token for one method, signed for the owner of the workflow that runs, with the role that the owner has now.
 * A project acts as an editor who owns what the project owns.
 * @throws Forbidden
 */
export type IssueRunToken = (runner: string, request: RunTokenRequest) => Promise<string>;

/** Whom a run acts for; undefined if the owner is locked or gone. */
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

/** Creates the use case. One audit record for each node of an execution is stored before its token is returned. */
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
