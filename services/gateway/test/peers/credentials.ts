import {
  CredentialServiceService,
  CredentialTestStatus,
  type Credential,
  type CredentialGrant,
  type VerifyWebhookAuthResponse,
} from '@weft/proto/credentials';
import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { createFake } from './fake';

const read = { users: 'credentials:read' as const };
const write = { users: 'credentials:write' as const };
const inside = { services: ['gateway'] };
const access = {
  listCredentials: read,
  getCredential: read,
  createCredential: write,
  updateCredential: write,
  deleteCredential: write,
  listCredentialGrants: read,
  listCredentialUses: read,
  grantCredential: write,
  revokeCredential: write,
  listGrantedCredentials: { users: 'workflows:read' as const },
  testCredential: write,
  listNodeOptions: { users: 'workflows:write' as const },
  startLogin: write,
  finishLogin: write,
  listCredentialTypes: { users: 'workflows:read' as const },
  getCredentialType: { users: 'workflows:read' as const },
  useCredential: { services: ['runner'] },
  issueRunToken: { services: ['runner'] },
  verifyWebhookAuth: inside,
  callHook: inside,
  findCredentials: { services: ['workflows'] },
  signNotifications: { services: ['executions'] },
};

const TYPE = {
  name: 'githubApi',
  schema: Buffer.from(JSON.stringify({ name: 'githubApi', label: 'GitHub', fields: [], applied: 'header', hosts: [] })),
};

/** The credentials side of the credentials service, in memory. */
export const fakeCredentials = () => {
  const fake = createFake();
  const stored = new Map<string, Credential>();
  const grants: (CredentialGrant & { readonly credentialId: string })[] = [];
  /** Responses to configure. `signedBody` is used if it is set and the request has a body. */
  const told: { webhookAuth: VerifyWebhookAuthResponse; signedBody?: VerifyWebhookAuthResponse } = {
    webhookAuth: { granted: true, refusalStatus: 0, claimsJson: '', secretHeader: '' },
  };
  let made = 0;
  const find = (id: string): Credential => {
    const credential = stored.get(id);
    if (credential === undefined)
      throw new ServiceError({
        reason: 'CREDENTIAL_NOT_FOUND',
        kind: 'not-found',
        message: `No credential has the id ${id}.`,
        details: { credentialId: id },
      });
    return credential;
  };
  const keep = (credential: Credential): Credential => {
    const tagged = { ...credential, etag: `e-${credential.name}` };
    stored.set(credential.id, tagged);
    return tagged;
  };
  const handlers: Handlers<typeof CredentialServiceService> = {
    listCredentials: (request, context) =>
      fake.act('listCredentials', request, context, () => {
        const all = [...stored.values()];
        const from = request.cursor === '' ? 0 : Number(request.cursor);
        if (Number.isNaN(from))
          throw new InvalidRequest('The cursor cannot be used.', [{ field: 'cursor', message: 'Use nextCursor.' }]);
        const limit = request.limit === 0 ? 20 : request.limit;
        return {
          credentials: all.slice(from, from + limit),
          nextCursor: from + limit < all.length ? String(from + limit) : '',
        };
      }),
    getCredential: (request, context) =>
      fake.act('getCredential', request, context, () => ({ credential: find(request.credentialId) })),
    createCredential: (request, context) =>
      fake.act('createCredential', request, context, () => {
        made += 1;
        const at = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
        return {
          credential: keep({
            id: `c${made}`,
            name: request.name,
            type: request.type,
            createdAt: at,
            updatedAt: at,
            ownerId: 'owner',
          }),
        };
      }),
    updateCredential: (request, context) =>
      fake.act('updateCredential', request, context, () => {
        const old = find(request.credentialId);
        return { credential: keep({ ...old, name: request.name ?? old.name, type: request.type ?? old.type }) };
      }),
    deleteCredential: (request, context) =>
      fake.act('deleteCredential', request, context, () => {
        stored.delete(find(request.credentialId).id);
        return {};
      }),
    listCredentialUses: (request, context) =>
      fake.act('listCredentialUses', request, context, () => {
        find(request.credentialId);
        return { workflows: [{ id: 'w1', name: 'Orders' }], hasHidden: true };
      }),
    listCredentialGrants: (request, context) =>
      fake.act('listCredentialGrants', request, context, () => {
        const { id } = find(request.credentialId);
        return { grants: grants.filter(({ credentialId }) => credentialId === id) };
      }),
    grantCredential: (request, context) =>
      fake.act('grantCredential', request, context, () => {
        const credentialId = find(request.credentialId).id;
        const grantedAt = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
        const grant = { credentialId, projectId: request.projectId, grantedBy: 'u1', grantedAt, grantedTo: 'project' };
        grants.push(grant);
        return { grant };
      }),
    revokeCredential: (request, context) =>
      fake.act('revokeCredential', request, context, () => {
        const { projectId } = request;
        const credentialId = find(request.credentialId).id;
        const at = grants.findIndex((grant) => grant.credentialId === credentialId && grant.projectId === projectId);
        if (at < 0)
          throw new ServiceError({
            reason: 'GRANT_NOT_FOUND',
            kind: 'not-found',
            message: 'No such grant.',
            details: { credentialId, projectId },
          });
        grants.splice(at, 1);
        return {};
      }),
    listGrantedCredentials: (request, context) =>
      fake.act('listGrantedCredentials', request, context, () => {
        const ofProject = grants.filter(({ projectId }) => projectId === request.projectId);
        if (ofProject.length > 0)
          return {
            credentials: ofProject.map(({ credentialId, grantedAt }) => ({ ...find(credentialId), grantedAt })),
            nextCursor: '',
          };
        // These are the only known projects.
        throw new ServiceError({
          reason: 'PROJECT_NOT_FOUND',
          kind: 'not-found',
          message: 'No such project.',
          details: { projectId: request.projectId },
        });
      }),
    testCredential: (request, context) =>
      fake.act('testCredential', request, context, () => {
        const { type } = find(request.credentialId);
        const status = CredentialTestStatus.CREDENTIAL_TEST_STATUS_OK;
        return { status, message: `The fake accepts ${type} at ${request.url || 'its service'}.` };
      }),
    listNodeOptions: (request, context) =>
      fake.act('listNodeOptions', request, context, () => ({
        optionsJson: Buffer.from('[{"label":"General","value":"C1"}]'),
        nextCursor: request.cursor === '' ? 'more' : '',
      })),
    startLogin: (request, context) =>
      fake.act('startLogin', request, context, () => {
        find(request.credentialId);
        if (request.sessionToken === '')
          throw new ServiceError({ reason: 'SESSION_REQUIRED', kind: 'precondition', message: 'No session.' });
        return { url: 'https://service.example.test/authorize?state=s', attempt: 'sealed-attempt' };
      }),
    finishLogin: (request, context) =>
      fake.act('finishLogin', request, context, () => ({ credential: [...stored.values()][0] })),
    listCredentialTypes: (request, context) =>
      fake.act('listCredentialTypes', request, context, () => ({ credentialTypes: [TYPE] })),
    getCredentialType: (request, context) =>
      fake.act('getCredentialType', request, context, () => {
        if (request.name === TYPE.name) return { credentialType: TYPE };
        throw new ServiceError({
          reason: 'CREDENTIAL_TYPE_NOT_FOUND',
          kind: 'not-found',
          message: 'No such type.',
          details: { credentialType: request.name },
        });
      }),
    useCredential: (request, context) => fake.act('useCredential', request, context, () => ({ dataJson: '{}' })),
    issueRunToken: (request, context) => fake.act('issueRunToken', request, context, () => ({ token: '' })),
    findCredentials: (request, context) => fake.act('findCredentials', request, context, () => ({ found: [] })),
    callHook: (request, context) =>
      fake.act('callHook', request, context, () => ({ sealedSecret: '', credentialRevision: '' })),
    signNotifications: (request, context) =>
      fake.act('signNotifications', request, context, () => ({ signatures: [] })),
    verifyWebhookAuth: (request, context) =>
      fake.act('verifyWebhookAuth', request, context, () =>
        request.body === undefined ? told.webhookAuth : (told.signedBody ?? told.webhookAuth),
      ),
  };
  return { ...fake, stored, told, bound: bindService(CredentialServiceService, handlers, access) };
};
