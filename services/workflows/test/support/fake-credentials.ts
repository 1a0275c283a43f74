import {
  type CheckCredentialUseRequest,
  CredentialMatch,
  CredentialServiceService,
  type FoundCredential,
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
}

/** The methods of the credentials service that find and check credentials, in memory. */
export interface FakeCredentials {
  readonly stored: FakeCredential[];
  /** Messages by the ids of credentials that no workflow may use. */
  readonly refused: Map<string, string>;
  readonly asked: CheckCredentialUseRequest[];
  /** True to respond that the service is unavailable. */
  isAway: boolean;
  readonly service: BoundService;
}

const found = (match: CredentialMatch, credentialId = '', usable = false): FoundCredential => ({
  match,
  credentialId,
  usable,
});

export const fakeCredentials = (): FakeCredentials => {
  const notFaked = () => Promise.reject(new Unauthorized());
  const stored: FakeCredential[] = [];
  const refused = new Map<string, string>();
  const asked: CheckCredentialUseRequest[] = [];
  const handlers: Pick<Handlers<typeof CredentialServiceService>, 'findCredentials' | 'checkCredentialUse'> = {
    checkCredentialUse: (request) => {
      asked.push(request);
      return Promise.resolve({
        refused: request.credentialIds.flatMap((credentialId) => {
          const message = refused.get(credentialId);
          return message === undefined ? [] : [{ credentialId, name: '', ownerId: '', message }];
        }),
        unknownIds: [],
      });
    },
    findCredentials: ({ ownerId, references }) => {
      if (fake.isAway) return Promise.reject(new Unavailable('The fake is away.'));
      return Promise.resolve({
        found: references.map(({ id, type, name }) => {
          const known = stored.find((one) => one.id === id && one.type === type);
          if (known !== undefined) return found(CredentialMatch.CREDENTIAL_MATCH_ID, id, known.ownerId === ownerId);
          const [first, ...others] = stored.filter(
            (one) => one.type === type && one.name === name && one.ownerId === ownerId,
          );
          if (first === undefined) return found(CredentialMatch.CREDENTIAL_MATCH_NONE);
          return others.length > 0
            ? found(CredentialMatch.CREDENTIAL_MATCH_AMBIGUOUS)
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
    grantCredential: notFaked,
    revokeCredential: notFaked,
    listGrantedCredentials: notFaked,
    listCredentialTypes: notFaked,
    getCredentialType: notFaked,
    testCredential: notFaked,
    useCredential: notFaked,
    issueRunToken: notFaked,
    verifyWebhookAuth: notFaked,
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
    grantCredential: none,
    revokeCredential: none,
    listGrantedCredentials: none,
    listCredentialTypes: none,
    getCredentialType: none,
    testCredential: none,
    useCredential: none,
    issueRunToken: none,
    verifyWebhookAuth: none,
    findCredentials: { services: ['workflows'] },
    checkCredentialUse: { services: ['workflows'] },
  });
  const fake: FakeCredentials = { stored, refused, asked, isAway: false, service };
  return fake;
};
