import type { VerifyWebhookAuthResponse, CredentialServiceService } from '@weft/proto/credentials';
import type { Handler } from '@weft/service-kit/grpc';
import type { AuthOutcome } from '../domain/webhook-auth/outcome';
import type { VerifyWebhookAuth } from '../domain/webhook-auth/verify-webhook-auth';

const REFUSAL_STATUS: Readonly<Record<Exclude<AuthOutcome['kind'], 'granted'>, number>> = { missing: 401, wrong: 403 };

const toResponse = (outcome: AuthOutcome): VerifyWebhookAuthResponse =>
  outcome.kind === 'granted'
    ? { granted: true, refusalStatus: 0, claimsJson: outcome.claimsJson, secretHeader: outcome.secretHeader }
    : { granted: false, refusalStatus: REFUSAL_STATUS[outcome.kind], claimsJson: '', secretHeader: '' };

/** VerifyWebhookAuth. */
export const verifyWebhookAuthHandler =
  (verifyWebhookAuth: VerifyWebhookAuth): Handler<typeof CredentialServiceService.verifyWebhookAuth> =>
  async ({ authentication, credentialId, ownerId, headers }) => {
    // Read from the end, so that the first line of a name is the one that counts.
    const byName = new Map(headers.toReversed().map(({ name, value }) => [name.toLowerCase(), value]));
    return toResponse(await verifyWebhookAuth({ authentication, credentialId, ownerId, headers: byName }));
  };
