import {
  type CallHookRequest,
  type CallHookResponse,
  CredentialMatch,
  CredentialServiceService,
  type FindCredentialsRequest,
  type FoundCredential,
  HookAction,
} from '@weft/proto/credentials';
import { Unauthorized, Unavailable } from '@weft/service-kit/errors';
import { bindService, type BoundService, type Handlers } from '@weft/service-kit/grpc';

/** A credential of the fake. */
export interface FakeCredential {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  /** The owner whose workflows may use it. */
  readonly ownerId: string;
  /** A workflow that it is granted to. */
  readonly workflowId?: string;
}

/** The method of the credentials service that finds credentials, in memory. */
export interface FakeCredentials {
  readonly stored: FakeCredential[];
  /** Messages by the ids of credentials that no workflow may use. */
  readonly refused: Map<string, string>;
  readonly asked: FindCredentialsRequest[];
  /** Requests about hooks, in order. */
  readonly hookCalls: CallHookRequest[];
  /** Answers requests about hooks; by default each is valid. */
  answerHook: (request: CallHookRequest) => Promise<CallHookResponse['outcome']> | CallHookResponse['outcome'];
  /** True to respond that the service is unavailable. */
  isAway: boolean;
  credentialRevision: string;
  readonly service: BoundService;
}

const valid: CallHookResponse['outcome'] = { $case: 'answer', value: { valid: true, keptJson: '' } };

const found = (match: CredentialMatch, credentialId = '', usable = false): FoundCredential => ({
  match,
  credentialId,
  usable,
});

export const fakeCredentials = (): FakeCredentials => {
  const notFaked = () => Promise.reject(new Unauthorized());
  const stored: FakeCredential[] = [];
  const refused = new Map<string, string>();
  const asked: FindCredentialsRequest[] = [];
  const refusalOf = (known: FakeCredential | undefined, id: string, isUsable: boolean): { refusal?: string } => {
    const refusal =
      refused.get(id) ?? (known === undefined || isUsable ? undefined : `Credential ${id} is not granted.`);
    return refusal === undefined ? {} : { refusal };
  };
  const hookCalls: CallHookRequest[] = [];
  const handlers: Pick<Handlers<typeof CredentialServiceService>, 'findCredentials' | 'callHook'> = {
    callHook: async (request) => {
      hookCalls.push(request);
      if (fake.isAway) throw new Unavailable('The fake is away.');
      const sealedSecret = request.sealedSecret === '' ? `sealed ${request.hookId}` : request.sealedSecret;
      const isPrepared = request.action === HookAction.HOOK_ACTION_PREPARE;
      const outcome = isPrepared ? valid : await fake.answerHook(request);
      return { sealedSecret, credentialRevision: fake.credentialRevision, outcome };
    },
    findCredentials: (request) => {
      const { ownerId, workflowId, references } = request;
      asked.push(request);
      if (fake.isAway) return Promise.reject(new Unavailable('The fake is away.'));
      return Promise.resolve({
        found: references.map(({ id, type, name }): FoundCredential => {
          const known = stored.find((one) => one.id === id && one.type === type);
          const isUsable =
            known?.ownerId === ownerId || (known?.workflowId !== undefined && known.workflowId === workflowId);
          const refusal = refusalOf(known, id, isUsable);
          if (known !== undefined) return { ...found(CredentialMatch.CREDENTIAL_MATCH_ID, id, isUsable), ...refusal };
          const [first, ...others] = stored.filter(
            (one) => one.type === type && one.name === name && one.ownerId === ownerId,
          );
          if (first === undefined) return { ...found(CredentialMatch.CREDENTIAL_MATCH_NONE), ...refusal };
          return others.length > 0
            ? { ...found(CredentialMatch.CREDENTIAL_MATCH_AMBIGUOUS), ...refusal }
            : found(CredentialMatch.CREDENTIAL_MATCH_NAME, first.id, true);
        }),
      });
    },
  };
  const all = {
    listCredentials: notFaked,
    getCredential: notFaked,
    createCredential: notFaked,
    updateCredential: notFaked,
    deleteCredential: notFaked,
    listCredentialGrants: notFaked,
    listCredentialUses: notFaked,
    grantCredential: notFaked,
    revokeCredential: notFaked,
    listGrantedCredentials: notFaked,
    listCredentialTypes: notFaked,
    getCredentialType: notFaked,
    testCredential: notFaked,
    listNodeOptions: notFaked,
    startLogin: notFaked,
    finishLogin: notFaked,
    useCredential: notFaked,
    issueRunToken: notFaked,
    verifyWebhookAuth: notFaked,
    signNotifications: notFaked,
    ...handlers,
  };
  const none = {};
  const service = bindService(CredentialServiceService, all, {
    listCredentials: none,
    getCredential: none,
    createCredential: none,
    updateCredential: none,
    deleteCredential: none,
    listCredentialGrants: none,
    listCredentialUses: none,
    grantCredential: none,
    revokeCredential: none,
    listGrantedCredentials: none,
    listCredentialTypes: none,
    getCredentialType: none,
    testCredential: none,
    listNodeOptions: none,
    startLogin: none,
    finishLogin: none,
    useCredential: none,
    issueRunToken: none,
    verifyWebhookAuth: none,
    signNotifications: none,
    findCredentials: { services: ['workflows'] },
    callHook: { services: ['workflows'] },
  });
  const fake: FakeCredentials = {
    stored,
    refused,
    asked,
    hookCalls,
    answerHook: () => valid,
    credentialRevision: '1',
    isAway: false,
    service,
  };
  return fake;
};
