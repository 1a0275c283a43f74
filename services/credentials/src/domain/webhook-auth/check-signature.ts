import { createHmac } from 'node:crypto';
import type { JsonObject } from '@weft/service-kit/json';
import { isSameSecret } from '../same-secret';
import { grantedBy, MISSING, WRONG, type AuthOutcome, type Headers } from './outcome';
import { STANDARD, standardKeysOf, standardPrefix } from './standard-webhooks';

/** Maximum difference in seconds between the signed time and ours: replayed requests are too old. */
const TOLERANCE_S = 300;

/** Maximum signatures compared per header: senders that change their secret send two for a while. */
const MAX_SIGNATURES = 10;

/** The signature claimed by a request. */
interface Claim {
  /** HMAC-SHA256 values in hexadecimal, any of which must match. */
  readonly signatures: readonly string[];
  /** Text that is signed before the body. */
  readonly prefix: string;
  /** Signing time in Unix seconds; absent: the scheme has no timestamp. */
  readonly time?: number;
}

interface Scheme {
  /** Lower-case name of the header with the signature. */
  readonly header: string;
  /** The claimed signature of a request; undefined if the headers are malformed. */
  readonly read: (signature: string, headers: Headers) => Claim | undefined;
  /** The keys in the data of a credential, any of which may have signed. */
  readonly keysOf: (data: JsonObject) => readonly (string | Buffer)[];
}

/** A time in Unix seconds. */
const TIME = /^\d{1,12}$/;

const HEX = /^[0-9a-f]{64}$/i;

const readGithub = (signature: string): Claim | undefined => {
  const [name, value = ''] = signature.split('=');
  return name === 'sha256' ? { signatures: [value], prefix: '' } : undefined;
};

const readStripe = (signature: string): Claim | undefined => {
  const parts = signature.split(',').map((part) => part.trim().split('='));
  const valuesOf = (wanted: string): string[] =>
    parts.flatMap(([name, value = '']) => (name === wanted ? [value] : []));
  const [time = ''] = valuesOf('t');
  return TIME.test(time)
    ? { signatures: valuesOf('v1').slice(0, MAX_SIGNATURES), prefix: `${time}.`, time: Number(time) }
    : undefined;
};

const readSlack = (signature: string, headers: Headers): Claim | undefined => {
  const time = headers.get('x-slack-request-timestamp') ?? '';
  const [name, value = ''] = signature.split('=');
  return name === 'v0' && TIME.test(time)
    ? { signatures: [value], prefix: `v0:${time}:`, time: Number(time) }
    : undefined;
};

const readStandard = (signature: string, headers: Headers): Claim | undefined => {
  const [id = '', time = ''] = [headers.get('webhook-id'), headers.get('webhook-timestamp')];
  if (id === '' || !TIME.test(time)) return undefined;
  const signatures = signature.split(' ').flatMap((part) => {
    const [version, value = ''] = part.split(',');
    return version === 'v1' ? [Buffer.from(value, 'base64').toString('hex')] : [];
  });
  return { signatures: signatures.slice(0, MAX_SIGNATURES), prefix: standardPrefix(id, time), time: Number(time) };
};

/** The digest is in Base64, whose end may be an equals sign. */
const readTypeform = (signature: string): Claim | undefined =>
  signature.startsWith('sha256=')
    ? { signatures: [Buffer.from(signature.slice('sha256='.length), 'base64').toString('hex')], prefix: '' }
    : undefined;

const secretOf = ({ secret }: JsonObject): readonly string[] =>
  typeof secret === 'string' && secret !== '' ? [secret] : [];

const SCHEMES: ReadonlyMap<unknown, Scheme> = new Map<string, Scheme>([
  ['github', { header: 'x-hub-signature-256', read: readGithub, keysOf: secretOf }],
  ['stripe', { header: 'stripe-signature', read: readStripe, keysOf: secretOf }],
  ['slack', { header: 'x-slack-signature', read: readSlack, keysOf: secretOf }],
  ['typeform', { header: 'typeform-signature', read: readTypeform, keysOf: secretOf }],
  [STANDARD, { header: 'webhook-signature', read: readStandard, keysOf: standardKeysOf }],
]);

const isRecent = (time: number | undefined, now: Date): boolean =>
  time === undefined || Math.abs(now.getTime() / 1_000 - time) <= TOLERANCE_S;

/**
 * Checks the HMAC-SHA256 of a request's raw body against a credential of type webhookSignature. A missing or malformed
 * signature, or an outdated timestamp, is refused without the body.
 * @param body undefined: not read yet
 */
export const checkSignature = (
  data: JsonObject,
  headers: Headers,
  now: Date,
  body: Buffer | undefined,
): AuthOutcome => {
  const known = SCHEMES.get(data['scheme']);
  const keys = known?.keysOf(data) ?? [];
  if (known === undefined || keys.length === 0) return WRONG;
  const sent = headers.get(known.header);
  if (sent === undefined) return MISSING;
  const claim = known.read(sent, headers);
  const signatures = claim?.signatures.filter((signature) => HEX.test(signature)) ?? [];
  if (claim === undefined || signatures.length === 0 || !isRecent(claim.time, now)) return WRONG;
  if (body === undefined) return { kind: 'needs-body', secretHeader: known.header };
  const right = keys.map((key) => createHmac('sha256', key).update(claim.prefix).update(body).digest('hex'));
  const isRight = signatures.some((signature) => right.some((one) => isSameSecret(signature.toLowerCase(), one)));
  return isRight ? grantedBy(known.header) : WRONG;
};
