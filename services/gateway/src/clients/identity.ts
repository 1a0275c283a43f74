import {
  ApiKeyServiceService,
  InvitationServiceService,
  SessionServiceService,
  UserServiceService,
} from '@weft/proto/identity';
import { ProjectServiceService } from '@weft/proto/projects';
import { createVerifyUser, type VerifyUser } from '@weft/service-kit/auth';
import { type Calls, createCaller } from '@weft/service-kit/grpc';
import { verificationBy } from '@weft/service-kit/identity';
import type { Peer } from './callers';
import { createVerifySession, type VerifySession } from './verify-session';

/** Client of the identity services: users, API keys and sessions. */
export interface IdentityClient {
  /** Verifies and counts one request, never from a cache. @throws Unauthorized */
  readonly verifyUser: VerifyUser;
  /** The same for a session of the console. @throws Unauthorized */
  readonly verifySession: VerifySession;
  readonly apiKeys: Calls<typeof ApiKeyServiceService>;
  readonly sessions: Calls<typeof SessionServiceService>;
  readonly users: Calls<typeof UserServiceService>;
  readonly invitations: Calls<typeof InvitationServiceService>;
  readonly projects: Calls<typeof ProjectServiceService>;
  readonly close: () => void;
}

/** Maximum concurrent verifications: one to four for each key in use. */
const MAX_VERIFICATIONS = 1_000;

/** Connects to the identity side of the credentials service. */
export const createIdentityClient = (peer: Peer): IdentityClient => {
  const apiKeys = createCaller(ApiKeyServiceService, {
    service: 'credentials',
    ...peer,
    retried: ['listApiKeys'],
    capacity: MAX_VERIFICATIONS,
  });
  const sessions = createCaller(SessionServiceService, {
    service: 'credentials',
    ...peer,
    retried: ['verifySession', 'signOut', 'getSetup'],
  });
  const users = createCaller(UserServiceService, {
    service: 'credentials',
    ...peer,
    retried: [
      'getCaller',
      'listUsers',
      'getUser',
      'changeUserRole',
      'lockUser',
      'unlockUser',
      'signOutUser',
      'listUserApiKeys',
    ],
  });
  const invitations = createCaller(InvitationServiceService, {
    service: 'credentials',
    ...peer,
    retried: ['listInvitations'],
  });
  const projects = createCaller(ProjectServiceService, {
    service: 'credentials',
    ...peer,
    retried: ['listProjects', 'getProject', 'renameProject', 'listProjectMembers', 'putProjectMember'],
  });
  const close = (): void => {
    apiKeys.close();
    sessions.close();
    users.close();
    invitations.close();
    projects.close();
  };
  return {
    verifyUser: createVerifyUser(verificationBy(apiKeys.calls)),
    verifySession: createVerifySession(sessions.calls),
    apiKeys: apiKeys.calls,
    sessions: sessions.calls,
    users: users.calls,
    invitations: invitations.calls,
    projects: projects.calls,
    close,
  };
};
