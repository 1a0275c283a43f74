import type { VerifyWebhookAuthResponse, CredentialServiceService } from '@weft/proto/credentials';
import type { Handler } from '@weft/service-kit/grpc';
import type { Verdict } from '../domain/webhook-auth/verdict';
import type { VerifyWebhookAuth } from '../domain/webhook-auth/verify-webhook-auth';

const REFUSAL_STATUS: Readonly<Record<Exclude<Verdict['kind'], 'granted'>, number>> = { missing: 401, wrong: 403 };

const toResponse = (verdict: Verdict): VerifyWebhookAuthResponse =>
  verdict.kind === 'granted'
    ? { granted: true, refusalStatus: 0, claimsJson: verdict.claimsJson, secretHeader: verdict.secretHeader }
    : { granted: false, refusalStatus: REFUSAL_STATUS[verdict.kind], claimsJson: '', secretHeader: '' };

/** VerifyWebhookAuth. */
export const verifyWebhookAuthHandler =
  (verifyWebhookAuth: VerifyWebhookAuth): Handler<typeof CredentialServiceService.verifyWebhookAuth> =>
  async ({ authentication, credentialId, ownerId, headers }) => {
    // Read from the end, so that the first line of a name is the one that counts.
    const byName = new Map(headers.toReversed().map(({ name, value }) => [name.toLowerCase(), value]));
    return toResponse(await verifyWebhookAuth({ authentication, credentialId, ownerId, headers: byName }));
  };
