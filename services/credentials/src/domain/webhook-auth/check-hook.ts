import type { JsonObject } from '@weft/service-kit/json';
import { openHookSecret } from '../hooks/hook-secret';
import { isSameSecret } from '../same-secret';
import type { Sealer } from '../sealing';
import { checkSignature } from './check-signature';
import { checkTwilio } from './check-twilio';
import { grantedBy, MISSING, WRONG, type AuthOutcome, type Headers } from './outcome';

/** How the calls of a service are recognized that a trigger has registered with it. */
export interface HookRules {
  readonly hookId: string;
  /** Empty: it is not registered. */
  readonly sealedSecret: string;
  /** header, query, github, slack, twilio or typeform. */
  readonly scheme: string;
  /** With header: its lower-case name. With query: the name of the parameter. */
  readonly header: string;
  /** With a signature: the field of the credential that has the key; empty: the secret of the hook is the key. */
  readonly keyField: string;
  /** Calls are not signed if the credential does not have the key. */
  readonly optional: boolean;
  readonly credentialType: string;
}

/** A call of a hook. */
export interface HookRequest {
  readonly headers: Headers;
  /** Undefined: not read yet. */
  readonly body: Buffer | undefined;
  /** The address that was called. */
  readonly url: string;
}

/** True if calls prove that their sender knows the secret of the hook, and no field of a credential. */
export const isProvenBySecret = ({ scheme, keyField }: HookRules): boolean => scheme === 'header' || keyField === '';

/**
 * Checks the secret of a hook in a header or in the called address, or a signature by it.
 * @throws CredentialUnreadable
 */
export const checkHookSecret = (
  sealer: Pick<Sealer, 'open'>,
  rules: HookRules,
  { headers, body, url }: HookRequest,
  now: Date,
): AuthOutcome => {
  const { hookId, sealedSecret, scheme, header } = rules;
  if (sealedSecret === '') return WRONG;
  const secret = (): string => openHookSecret(sealer, hookId, sealedSecret);
  if (scheme === 'query') {
    const given = parameterOf(url, header);
    return given === undefined ? MISSING : isSameSecret(given, secret()) ? grantedBy('') : WRONG;
  }
  if (scheme !== 'header') return checkSignature({ scheme, secret: secret() }, headers, now, body);
  if (header === '') return WRONG;
  const sent = headers.get(header);
  if (sent === undefined) return MISSING;
  return isSameSecret(sent, secret()) ? grantedBy(header) : WRONG;
};

/** A parameter of an address; undefined if it has none, or several, of this name. */
const parameterOf = (url: string, name: string): string | undefined => {
  const values = URL.canParse(url) ? new URL(url).searchParams.getAll(name) : [];
  return values.length === 1 ? values[0] : undefined;
};

/** Checks the signature of a call by a field of a credential. */
export const checkHookSignature = (
  { scheme, keyField, optional }: HookRules,
  data: JsonObject,
  { headers, body, url }: HookRequest,
  now: Date,
): AuthOutcome => {
  const key = data[keyField];
  if (typeof key !== 'string' || key === '') return optional ? grantedBy('') : WRONG;
  return scheme === 'twilio'
    ? checkTwilio(key, headers, body, url)
    : checkSignature({ scheme, secret: key }, headers, now, body);
};
