import {
  type CallHookResponse,
  CredentialMatch,
  CredentialTestStatus,
  HookAction,
  type CredentialGrant,
  type Credential as CredentialMessage,
  type CredentialServiceService,
  type FoundCredential as FoundMessage,
  type VerifyWebhookAuthResponse,
} from '@weft/proto/credentials';
import { CREDENTIAL_TYPES, nearestCredentialTypes, type CredentialType } from '@weft/node-catalogue';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { CallContext, Handlers } from '@weft/service-kit/grpc';
import type { UseCases } from '../compose';
import type { Credential, Grant, StoredCredential } from '../domain/ownership/credential';
import { credentialEtag } from '../domain/credentials/credentials';
import type { FoundCredential } from '../domain/credentials/find-credentials';
import { granteeOf } from '../domain/credentials/grant';
import type { ManagedCredentials } from '../domain/credentials/manage-credentials';
import type { TestStatus } from '../domain/credentials/test-credential';
import { CredentialTypeNotFound } from '../domain/errors';
import type { CalledHook, HookCall } from '../domain/hooks/call-hook';
import type { AuthOutcome } from '../domain/webhook-auth/outcome';
import { principalOf } from './access';

/** Lists every field explicitly, so that nothing else of a stored credential is exposed. */
const toCredentialMessage = (credential: Credential): CredentialMessage => {
  const { id, name, type, ownerId, createdAt, updatedAt, oauth2 } = credential;
  const login =
    oauth2 === undefined ? {} : { login: { needsLogin: oauth2.login === 'needsLogin', message: oauth2.message } };
  return { id, name, type, ownerId, createdAt, updatedAt, ...login };
};

const toGrantMessage = (grant: Grant): CredentialGrant => {
  const { kind, id } = granteeOf(grant);
  return { projectId: id, grantedBy: grant.grantedBy, grantedAt: grant.grantedAt, grantedTo: kind };
};

const TEST_STATUS: Readonly<Record<TestStatus, CredentialTestStatus>> = {
  ok: CredentialTestStatus.CREDENTIAL_TEST_STATUS_OK,
  error: CredentialTestStatus.CREDENTIAL_TEST_STATUS_ERROR,
  untestable: CredentialTestStatus.CREDENTIAL_TEST_STATUS_UNTESTABLE,
};

const REFUSAL_STATUS: Readonly<Record<Exclude<AuthOutcome['kind'], 'granted' | 'needs-body'>, number>> = {
  missing: 401,
  wrong: 403,
};

const toAuthOutcomeMessage = (outcome: AuthOutcome): VerifyWebhookAuthResponse => {
  if (outcome.kind === 'granted')
    return { granted: true, refusalStatus: 0, claimsJson: outcome.claimsJson, secretHeader: outcome.secretHeader };
  // A caller that does not know about bodies refuses the request.
  if (outcome.kind === 'needs-body')
    return { granted: false, refusalStatus: 403, claimsJson: '', secretHeader: outcome.secretHeader, needsBody: true };
  return { granted: false, refusalStatus: REFUSAL_STATUS[outcome.kind], claimsJson: '', secretHeader: '' };
};

const MATCH: Readonly<Record<FoundCredential['match'], CredentialMatch>> = {
  id: CredentialMatch.CREDENTIAL_MATCH_ID,
  name: CredentialMatch.CREDENTIAL_MATCH_NAME,
  ambiguous: CredentialMatch.CREDENTIAL_MATCH_AMBIGUOUS,
  none: CredentialMatch.CREDENTIAL_MATCH_NONE,
};

const toFoundMessage = (found: FoundCredential): FoundMessage => ({
  match: MATCH[found.match],
  ...('credentialId' in found
    ? { credentialId: found.credentialId, usable: found.isUsable }
    : { credentialId: '', usable: false }),
  ...(found.refusal === undefined ? {} : { refusal: found.refusal }),
});

const toTypeMessage = (type: CredentialType) => ({ name: type.name, schema: Buffer.from(JSON.stringify(type)) });

/** With its etag, which lists do not read. */
const toTaggedMessage = (credential: StoredCredential): CredentialMessage => ({
  ...toCredentialMessage(credential),
  etag: credentialEtag(credential),
});

/** They never change while a process runs. */
const TYPES = [...CREDENTIAL_TYPES.values()].map(toTypeMessage);

const HOOK_ACTIONS: ReadonlyMap<HookAction, HookCall['action']> = new Map([
  [HookAction.HOOK_ACTION_PREPARE, 'prepare'],
  [HookAction.HOOK_ACTION_REGISTER, 'register'],
  [HookAction.HOOK_ACTION_CHECK, 'check'],
  [HookAction.HOOK_ACTION_REMOVE, 'remove'],
]);

/** @throws InvalidRequest */
const hookActionOf = (action: HookAction): HookCall['action'] => {
  const known = HOOK_ACTIONS.get(action);
  if (known !== undefined) return known;
  throw new InvalidRequest('The request is invalid.', [{ field: 'action', message: 'is not known.' }]);
};

const toCalledMessage = ({ sealedSecret, credentialRevision, outcome }: CalledHook): CallHookResponse => ({
  sealedSecret,
  credentialRevision,
  outcome:
    outcome.kind === 'answered'
      ? { $case: 'answer', value: { valid: outcome.isValid, keptJson: outcome.keptJson } }
      : { $case: 'refusal', value: { message: outcome.message, certain: outcome.isCertain } },
});

/** Handlers of CredentialService. */
export const credentialHandlers = (useCases: UseCases): Handlers<typeof CredentialServiceService> => {
  const managedBy = (context: CallContext): Promise<ManagedCredentials> =>
    useCases.manageCredentials(principalOf(context));
  return {
    listCredentials: async (request, context) => {
      const { items, nextCursor } = await (await managedBy(context)).listCredentials(request);
      return { credentials: items.map(toCredentialMessage), nextCursor };
    },
    getCredential: async ({ credentialId }, context) => ({
      credential: toTaggedMessage(await (await managedBy(context)).getCredential(credentialId)),
    }),
    createCredential: async (request, context) => ({
      credential: toTaggedMessage(
        await (await managedBy(context)).createCredential({ ...request, id: context.createdId }),
      ),
    }),
    updateCredential: async ({ credentialId, name, type, dataJson, condition }, context) => {
      const managed = await managedBy(context);
      const credential = await managed.updateCredential(credentialId, { name, type, dataJson }, condition);
      await useCases.recheckHooks(credentialId);
      return { credential: toTaggedMessage(credential) };
    },
    deleteCredential: async ({ credentialId, force, condition }, context) => {
      await (await managedBy(context)).deleteCredential(credentialId, force === true, condition);
      return {};
    },
    listCredentialUses: async ({ credentialId }, context) => {
      const { workflows, hasHidden } = await (await managedBy(context)).listCredentialUses(credentialId);
      return { workflows: [...workflows], hasHidden };
    },
    listCredentialGrants: async ({ credentialId }, context) => ({
      grants: (await (await managedBy(context)).listCredentialGrants(credentialId)).map(toGrantMessage),
    }),
    grantCredential: async ({ credentialId, projectId }, context) => ({
      grant: toGrantMessage(await (await managedBy(context)).grantCredential(credentialId, projectId)),
    }),
    revokeCredential: async ({ credentialId, projectId }, context) => {
      await (await managedBy(context)).revokeCredential(credentialId, projectId);
      return {};
    },
    listGrantedCredentials: async ({ projectId, ...page }, context) => {
      const { items, nextCursor } = await useCases.listGrantedCredentials(principalOf(context), projectId, page);
      return { credentials: [...items], nextCursor };
    },
    testCredential: async ({ credentialId, url }, context) => {
      const { status, message } = await (await managedBy(context)).testCredential(credentialId, url);
      return { status: TEST_STATUS[status], message };
    },
    listNodeOptions: (question, context) => useCases.listNodeOptions(principalOf(context), question),
    startLogin: async ({ credentialId, ...browser }, context) =>
      (await managedBy(context)).startLogin(credentialId, browser),
    finishLogin: async (returned, context) => ({
      credential: toTaggedMessage(await (await managedBy(context)).finishLogin(returned)),
    }),
    listCredentialTypes: () => Promise.resolve({ credentialTypes: TYPES }),
    getCredentialType: async ({ name }) => {
      const credentialType = TYPES.find((type) => type.name === name);
      if (credentialType === undefined)
        throw new CredentialTypeNotFound(name, nearestCredentialTypes(name.slice(0, 64)));
      return Promise.resolve({ credentialType });
    },
    useCredential: async (request, { service = 'unknown' }) => ({
      dataJson: await useCases.useCredential(service, request),
    }),
    issueRunToken: async (request, { service = 'unknown' }) => ({
      token: await useCases.issueRunToken(service, request),
    }),
    findCredentials: async ({ ownerId, workflowId, references }) => ({
      found: (await useCases.findCredentials({ ownerId, workflowId }, references)).map(toFoundMessage),
    }),
    signNotifications: async (request, { service = 'unknown' }) => ({
      signatures: [...(await useCases.signNotifications(service, request))],
    }),
    callHook: async ({ action, ...call }) =>
      toCalledMessage(await useCases.callHook({ ...call, action: hookActionOf(action) })),
    verifyWebhookAuth: async ({ authentication, credentialId, ownerId, workflowId = '', headers, body, hook, url }) => {
      // Reversed, so that for repeated headers the first value counts.
      const byName = new Map(headers.toReversed().map(({ name, value }) => [name.toLowerCase(), value]));
      return toAuthOutcomeMessage(
        await useCases.verifyWebhookAuth({
          authentication,
          credentialId,
          ownerId,
          workflowId,
          headers: byName,
          ...(body === undefined ? {} : { body }),
          hook,
          ...(url === undefined ? {} : { url }),
        }),
      );
    },
  };
};
