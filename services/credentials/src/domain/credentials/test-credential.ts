import { CREDENTIAL_TYPES } from '@weft/node-catalogue';
import type { Principal } from '@weft/service-kit/auth';
import { InvalidRequest } from '@weft/service-kit/errors';
import { type CountRequests, demandRequest } from '../api-keys/rate-window';
import type { RecordAudit } from '../audit';
import type { WithFreshTokens } from '../oauth2/refresh-tokens';
import { findCredential } from '../ownership/credential';
import type { OpenCredential } from './open-credential';
import type { ReachedCredentials } from './reach';

/** Outcome of a test. */
export type TestStatus = 'ok' | 'error' | 'untestable';

/** Result of a test, as one sentence without secrets. */
export interface TestOutcome {
  readonly status: TestStatus;
  readonly message: string;
}

/** Lets a runner, which has guarded network access, test the data of a credential. @throws Unavailable, TimedOut */
export type ProbeCredential = (probe: {
  readonly type: string;
  readonly dataJson: string;
  readonly url: string;
}) => Promise<TestOutcome>;

export interface TestCredentialPorts {
  readonly credentials: Pick<ReachedCredentials, 'findById'>;
  readonly openCredential: OpenCredential;
  readonly withFreshTokens: WithFreshTokens;
  readonly probeCredential: ProbeCredential;
  readonly countTests: CountRequests;
  readonly recordAudit: RecordAudit;
  readonly clock: () => Date;
}

/**
 * Tests a stored credential for a user within whose reach it is.
 * @param url set if the type is tested by a request to an address chosen by the user; empty otherwise
 * @throws CredentialNotFound, InvalidRequest, RateLimitExceeded, CredentialUnreadable, CredentialFileUnusable,
 * CredentialNeedsLogin, TokenRefreshFailed, Unavailable, TimedOut
 */
export type TestCredential = (credentialId: string, url: string) => Promise<TestOutcome>;

/** Maximum tests per user and minute: enough for correcting a password, too few for guessing one. */
export const TESTS_PER_MINUTE = 20;
const MAX_URL_LENGTH = 2_000;

const refuseUrl = (message: string): never => {
  throw new InvalidRequest('The credential cannot be tested like that.', [{ field: 'url', message }]);
};

/** Applies to all types, even those without an address. */
const checkLength = (url: string): void => {
  if (url.length > MAX_URL_LENGTH) refuseUrl(`must have at most ${MAX_URL_LENGTH} characters.`);
};

const checkUrl = (type: string, url: string, takesUrl: boolean): void => {
  if (!takesUrl) {
    if (url !== '') refuseUrl(`must be left out: credentials of type ${type} are tested at the service they name.`);
    return;
  }
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isWeb)
    refuseUrl(
      'must be an http or https address that answers a GET with 2xx only if the credential is right: those of type ' +
        `${type} name no service.`,
    );
};

/** Creates the use case. The audit record is stored before the data leaves this service. */
export const createTestCredential = (
  {
    credentials,
    openCredential,
    withFreshTokens,
    probeCredential,
    countTests,
    recordAudit,
    clock,
  }: TestCredentialPorts,
  { userId }: Principal,
): TestCredential =>
  async function testCredential(credentialId, url) {
    const credential = await findCredential(credentials, credentialId);
    checkLength(url);
    const { type } = credential;
    const test = CREDENTIAL_TYPES.get(type)?.test;
    if (test === undefined)
      return { status: 'untestable', message: `Credentials of type ${type} cannot be tried out.` };
    checkUrl(type, url, test.kind === 'address');
    await demandRequest(countTests, `test:${userId}`, clock);
    const dataJson = await openCredential(await withFreshTokens({ credential }));
    await recordAudit({ action: 'credential.test', actor: userId, about: { credentialId, type } });
    return probeCredential({ type, dataJson, url });
  };
