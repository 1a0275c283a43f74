import { CredentialServiceService } from '@weft/proto/credentials';
import { NotificationServiceService, type SendNotificationRequest } from '@weft/proto/notifications';
import { ServiceError } from '@weft/service-kit/errors';
import { bindService, type AccessRule, type BoundService, type Handlers } from '@weft/service-kit/grpc';

/** A request to a receiver, as a runner got it. */
export interface ReceivedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON. */
  readonly body: unknown;
  readonly failing: boolean;
}

/** Response of a receiver: a status, or why there is none. */
export type FakeResponse = number | { readonly error: string };

/** Fakes of the runners and of the part of the credentials service that signs. */
export interface FakeReceivers {
  readonly received: ReceivedRequest[];
  /** The response to a request; throws if no runner can send it. */
  respond: (request: ReceivedRequest) => FakeResponse | Promise<FakeResponse>;
  /** The ids that were signed, with their credentials. */
  readonly signed: string[];
  /** Throws what the credentials service refuses. */
  checkSigning: (credentialId: string) => void;
}

const notFaked = (): Promise<never> =>
  Promise.reject(new ServiceError({ reason: 'NOT_FAKED', kind: 'internal', message: 'The test does not fake this.' }));

const toRequest = ({ url, headers, body, failing }: SendNotificationRequest): ReceivedRequest => ({
  url,
  headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
  body: JSON.parse(body.toString()),
  failing,
});

/** The events of a request. */
export const eventsOf = ({ body }: ReceivedRequest): Record<string, unknown>[] => {
  const list: unknown[] = Array.isArray(body) ? body : [body];
  return list.map((event) => ({ ...(typeof event === 'object' ? event : {}) }));
};

/** Creates the fakes: every receiver responds with 204, and every credential signs. */
export const createFakeReceivers = (): { fake: FakeReceivers; sending: BoundService; signing: BoundService } => {
  const fake: FakeReceivers = {
    received: [],
    respond: () => 204,
    signed: [],
    checkSigning: () => undefined,
  };
  const sending = bindService(
    NotificationServiceService,
    {
      sendNotification: async (message) => {
        const request = toRequest(message);
        fake.received.push(request);
        const response = await fake.respond(request);
        return typeof response === 'number' ? { status: response, error: '' } : { status: 0, error: response.error };
      },
    },
    { sendNotification: { services: ['executions'] } },
  );
  const handlers: Handlers<typeof CredentialServiceService> = {
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
    findCredentials: notFaked,
    callHook: notFaked,
    signNotifications: async ({ credentialId, messages }) => {
      fake.checkSigning(credentialId);
      fake.signed.push(...messages.map(({ id }) => `${credentialId} ${id}`));
      return Promise.resolve({ signatures: messages.map(({ id }) => `v1,${credentialId}:${id}`) });
    },
  };
  const none: AccessRule = {};
  return {
    fake,
    sending,
    signing: bindService(CredentialServiceService, handlers, {
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
      findCredentials: none,
      callHook: none,
      signNotifications: { services: ['executions'] },
    }),
  };
};
