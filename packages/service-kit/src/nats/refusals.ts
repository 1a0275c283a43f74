import { ErrorCode } from 'nats';

/** Remedies for errors of a reachable server that refuses this process, by error code. */
const REFUSALS: Readonly<Record<string, string>> = {
  [ErrorCode.AuthorizationViolation]:
    'NATS refused the authentication. Check NATS_USER and NATS_PASSWORD, NATS_TOKEN, NATS_CREDS_FILE or ' +
    'NATS_NKEY_FILE.',
  [ErrorCode.AuthenticationExpired]: 'The credentials for NATS have expired. Replace NATS_CREDS_FILE.',
  [ErrorCode.ServerOptionNotAvailable]: 'NATS does not offer TLS. Secure the server, or set NATS_URL to nats://.',
};

/** The remedy for an error code; the code itself if it is unknown. */
export const remedyOf = (code: string): string => REFUSALS[code] ?? code;

/** The error, or one with a remedy if the server refused this process. */
export const explainRefusal = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const refusal = REFUSALS[code];
  return refusal === undefined ? error : new Error(refusal, { cause: error });
};
