import { AuditServiceService } from '@weft/proto/audit';
import { CredentialServiceService } from '@weft/proto/credentials';
import {
  ApiKeyServiceService,
  InvitationServiceService,
  SessionServiceService,
  UserServiceService,
} from '@weft/proto/identity';
import { ProjectServiceService } from '@weft/proto/projects';
import { AUDIT_ACCESS, auditHandlers, type AuditLog } from '@weft/service-kit/audit';
import { bindService, type BoundService } from '@weft/service-kit/grpc';
import type { RepeatDeps } from '@weft/service-kit/idempotency';
import type { UseCases } from '../compose';
import {
  API_KEY_ACCESS,
  CREDENTIAL_ACCESS,
  INVITATION_ACCESS,
  PROJECT_ACCESS,
  SESSION_ACCESS,
  USER_ACCESS,
} from './access';
import { apiKeyHandlers } from './api-keys';
import { credentialHandlers } from './credentials';
import { invitationHandlers } from './invitations';
import { projectHandlers } from './projects';
import {
  repeatableApiKeys,
  repeatableCredentials,
  repeatableInvitations,
  repeatableProjects,
  repeatableUsers,
} from './repeatable';
import { sessionHandlers } from './sessions';
import { userHandlers } from './users';

/** The services of this process. @param commit that it was built from */
export const bindServices = (
  useCases: UseCases,
  auditLog: AuditLog,
  repeat: RepeatDeps,
  commit: string,
): readonly BoundService[] => [
  bindService(CredentialServiceService, repeatableCredentials(repeat, credentialHandlers(useCases)), CREDENTIAL_ACCESS),
  bindService(ApiKeyServiceService, repeatableApiKeys(repeat, apiKeyHandlers(useCases)), API_KEY_ACCESS),
  bindService(UserServiceService, repeatableUsers(repeat, userHandlers(useCases, commit)), USER_ACCESS),
  bindService(ProjectServiceService, repeatableProjects(repeat, projectHandlers(useCases)), PROJECT_ACCESS),
  bindService(InvitationServiceService, repeatableInvitations(repeat, invitationHandlers(useCases)), INVITATION_ACCESS),
  bindService(AuditServiceService, auditHandlers(auditLog, 'credentials'), AUDIT_ACCESS),
  bindService(SessionServiceService, sessionHandlers(useCases), SESSION_ACCESS),
];
