import type { Principal } from '@weft/service-kit/auth';
import { Forbidden } from '@weft/service-kit/errors';
import { type CountRequests, demandRequest } from '../api-keys/rate-window';
import { CredentialNotGranted } from '../errors';
import type { OpenForRuns } from '../oauth2/data-for-runs';
import { type CredentialStore, findCredential, type StoredCredential } from '../ownership/credential';
import type { FindOwner } from '../ownership/owners';
import { projectsToEdit, type User, type UserStore } from '../ownership/user';
import { managesAll } from '../projects/projects';
import { type MayUse, refusalOf } from './grant';
import { isReached } from './reach';
import type { RecordUse } from './record-use';

/** A question for the options of a parameter. */
export interface OptionsQuestion {
  /** Node type, or kind. */
  readonly type: string;
  /** 0 for the newest. */
  readonly version: number;
  /** Name of a list of the app. */
  readonly list: string;
  /** JSON object. */
  readonly parametersJson: string;
  /** Empty for none. */
  readonly credentialId: string;
  readonly search: string;
  readonly cursor: string;
}

/** Options as a runner gives them. */
export interface NodeOptions {
  /** JSON array of `{ label, value }`. */
  readonly optionsJson: Buffer;
  readonly nextCursor: string;
}

/** Lets a runner, which has guarded network access, fetch options. @throws InvalidRequest, Unavailable, TimedOut */
export type FetchOptions = (
  question: Omit<OptionsQuestion, 'credentialId'> & {
    readonly credentialType: string;
    readonly dataJson: string;
    readonly userId: string;
  },
) => Promise<NodeOptions>;

export interface OptionsPorts {
  readonly credentials: Pick<CredentialStore, 'findById'>;
  readonly users: Pick<UserStore, 'findById'>;
  readonly findOwner: FindOwner;
  readonly mayUse: MayUse;
  readonly openForRuns: OpenForRuns;
  readonly recordUse: RecordUse;
  readonly fetchOptions: FetchOptions;
  readonly countLists: CountRequests;
  readonly clock: () => Date;
}

/**
 * Lists options of a parameter for a user who may use the credential.
 * @throws CredentialNotFound, CredentialNotGranted, Forbidden, InvalidRequest, RateLimitExceeded, CredentialUnreadable,
 * CredentialFileUnusable, CredentialNeedsLogin, TokenRefreshFailed, Unavailable, TimedOut
 */
export type ListNodeOptions = (user: Principal, question: OptionsQuestion) => Promise<NodeOptions>;

/** Maximum lists per user and minute. */
export const LISTS_PER_MINUTE = 20;

/**
 * Creates the use case. The user may use a credential that the user manages, and any that workflows of the user, or of
 * a project in which the user edits workflows, may use: such a workflow could send the same request. The use is
 * recorded before its tokens are refreshed.
 */
export const createListNodeOptions = (ports: OptionsPorts): ListNodeOptions => {
  const { credentials, users, findOwner, mayUse, openForRuns, recordUse, fetchOptions, countLists, clock } = ports;
  const demand = async (principal: Principal, user: User, credential: StoredCredential): Promise<void> => {
    if (managesAll(principal) && managesAll(user)) return;
    const projectIds = projectsToEdit(user);
    if (isReached({ projectIds: new Set(projectIds) }, credential.ownerId)) return;
    const self = { id: user.id, isProject: false, label: user.name ?? user.email };
    const owners = [self, ...projectIds.map((id) => ({ id, isProject: true, label: '' }))];
    if (owners.some((owner) => mayUse({ owner, workflowId: '' }, credential))) return;
    const reason = refusalOf({ owner: self, workflowId: '' }, credential, await findOwner(credential.ownerId));
    throw new CredentialNotGranted(reason, { credentialId: credential.id });
  };
  return async function listNodeOptions(principal, { credentialId, ...question }) {
    const { userId } = principal;
    const user = await users.findById(userId);
    if (user === undefined || user.lockedAt !== undefined) throw new Forbidden('Only users can list options.');
    const credential = credentialId === '' ? undefined : await findCredential(credentials, credentialId);
    if (credential !== undefined) await demand(principal, user, credential);
    await demandRequest(countLists, `options:${userId}`, clock);
    if (credential === undefined) return fetchOptions({ ...question, credentialType: '', dataJson: '', userId });
    const { id, type, ownerId } = credential;
    await recordUse({ credentialId: id, ownerId, actor: userId, by: { options: question.type } });
    const dataJson = await openForRuns({ credential });
    return fetchOptions({ ...question, credentialType: type, dataJson, userId });
  };
};
