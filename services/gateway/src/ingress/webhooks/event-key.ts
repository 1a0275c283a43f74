import type { EventKeyRule } from '@weft/proto/channels';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Headers in which senders put an id that is the same each time they send an event. Stripe, Slack, SendGrid and Paddle
 * send none: they sign. GitLab sends Idempotency-Key.
 */
const EVENT_ID_HEADERS: readonly string[] = [
  'webhook-id', // Standard Webhooks
  'svix-id',
  'x-github-delivery',
  'x-gitea-delivery',
  'x-forgejo-delivery',
  'x-shopify-webhook-id',
  'linear-delivery',
  'i-twilio-idempotency-token',
  'x-atlassian-webhook-identifier', // Jira
  'x-request-uuid', // Bitbucket
  'paypal-transmission-id',
  'x-razorpay-event-id',
  'x-contentful-idempotency-key',
  'x-cio-delivery-id', // Customer.io
  'x-wc-webhook-delivery-id', // WooCommerce
  'x-amz-sns-message-id',
  'ce-id', // CloudEvents
];

const MAX_ID_LENGTH = 1_000;

/** The key of an event. */
export interface EventKey {
  readonly eventKey: string;
  /** True if the key is made from signed content. */
  readonly eventKeySigned: boolean;
}

/** The facts of a call that its key is made of. */
export interface CallFacts {
  readonly headers: IncomingHttpHeaders;
  /** Identity of the caller; empty for one without any proof. */
  readonly caller: string;
  readonly method: string;
  /** As requested, decoded. */
  readonly path: string;
  readonly query: string;
  /** JSON text of the body as the run gets it. */
  readonly bodyJson: string;
  /** Digest of its files. */
  readonly contentDigest: Buffer | undefined;
  /** SHA-256 of the raw body, if its caller has signed it. */
  readonly signedDigest: Buffer | undefined;
}

const digestOf = (parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) {
    const bytes = Buffer.from(part);
    hash.update(`${bytes.length}:`).update(bytes);
  }
  return hash.digest('base64url');
};

const idIn = (headers: IncomingHttpHeaders, names: readonly string[]): readonly [string, string] | undefined => {
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH) return [name, value];
  }
  return undefined;
};

/**
 * The key by which a repeated call is recognized; undefined if there is none. It contains caller and content: another
 * content is another event, and no caller gets the response of another one.
 *
 * By default the key of a signed call is its signed content alone. All supported schemes sign the body and at most a
 * time, which differs when the sender repeats the call; an id outside the signature could be replaced in a replay. A
 * workflow that names headers trusts them.
 */
export const eventKeyOf = (rule: EventKeyRule | undefined, facts: CallFacts): EventKey | undefined => {
  const { headers, caller, method, path, query, bodyJson, contentDigest, signedDigest } = facts;
  if (rule?.headers.length === 0) return undefined;
  const signed =
    signedDigest === undefined
      ? undefined
      : { eventKey: digestOf(['signed', method, path, signedDigest]), eventKeySigned: true };
  if (signed !== undefined && rule === undefined) return signed;
  const id = idIn(headers, rule?.headers ?? EVENT_ID_HEADERS);
  if (id === undefined) return signed;
  const content = [caller, query, bodyJson, contentDigest ?? ''];
  return { eventKey: digestOf(['id', ...id, method, path, ...content]), eventKeySigned: signed !== undefined };
};
