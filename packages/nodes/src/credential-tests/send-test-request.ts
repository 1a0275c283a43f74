import { randomUUID } from 'node:crypto';
import { credentialText, type CredentialTest, type JsonObject } from '@weft/node-catalogue';
import type { OutboundHttp } from '@weft/outbound';
import { withoutTrailing } from '@weft/service-kit/text';
import {
  allowedHostsOf,
  applyCredential,
  type CredentialParts,
  NO_CREDENTIAL,
} from '../shared/http/authentication/apply-credential';
import { clientCertificateOf } from '../shared/http/authentication/client-certificate';
import { checkedUrl } from '../http-request/read-settings';
import { isSuccess, sendRequest } from '../shared/http/request/send-request';
import type { TestedCredential, TestResult } from './test-credential';

/** A credential that is tested by a request. */
interface TestRequest extends TestedCredential {
  readonly test: Extract<CredentialTest, { readonly kind: 'request' | 'address' }>;
}

/** Dependencies of a test request. */
interface Around {
  readonly signal: AbortSignal;
  readonly ms: number;
  /** Records a secret that the credential yielded, such as a token. */
  readonly hide: (secret: string) => void;
}

const CERTIFICATE = 'httpSslAuth';
/** The largest responses list the models of a service. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Sends one request with a credential. Only the status of the response is reported. Redirects are not followed: they
 * usually lead to a login page, which responds to everyone with 200.
 */
export async function sendTestRequest(
  http: OutboundHttp,
  { type, data, url, test }: TestRequest,
  { signal, ms, hide }: Around,
): Promise<TestResult> {
  const address = test.kind === 'address' ? { url } : filled(type, test.url, data);
  if ('missing' in address)
    return {
      outcome: 'untestable',
      message: `The credential has no ${address.missing}, so it cannot be tested.`,
    };
  const body = test.kind === 'request' ? test.body : undefined;
  const response = await sendRequest(
    http,
    {
      method: body === undefined ? 'GET' : 'POST',
      url: checkedUrl(address.url),
      query: [],
      listStyle: 'repeat',
      headers: [],
      ...(body === undefined ? {} : { body: { kind: 'json', value: body } }),
      timeoutMs: ms,
      followRedirects: false,
      maxRedirects: 0,
      allowUnauthorizedCerts: false,
      ...(type === CERTIFICATE ? { clientCertificate: clientCertificateOf(data) } : {}),
    },
    {
      credential: partsOf(type, data, hide),
      format: 'json',
      item: undefined,
      files: undefined,
      signal,
      maxResponseBytes: MAX_BYTES,
      idempotencyKey: randomUUID(),
    },
    0,
  );
  const okField = test.kind === 'request' ? test.okField : undefined;
  const isAccepted = isSuccess(response) && (okField === undefined || saysTrue(response.body, okField));
  if (isAccepted) return { outcome: 'accepted', message: `The service answered ${response.status}.` };
  const { status } = response;
  const isRefused = status === 401 || status === 403 || isSuccess(response);
  const hint = isRefused ? ': it does not accept the credential' : '';
  return { outcome: 'refused', message: `The service answered ${status}${hint}.` };
}

function partsOf(type: string, data: JsonObject, hide: Around['hide']): CredentialParts {
  if (type === CERTIFICATE) return { ...NO_CREDENTIAL, allowedHosts: allowedHostsOf(data) };
  return applyCredential(type, data, { now: () => Date.now(), hide });
}

/** The URL with its fields filled in, or the name of an empty field. */
function filled(
  type: string,
  template: string,
  data: JsonObject,
): { readonly url: string } | { readonly missing: string } {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const missing = names.find((name) => credentialText(type, name, data) === '');
  if (missing !== undefined) return { missing };
  return {
    url: template.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      withoutTrailing(credentialText(type, name, data), '/'),
    ),
  };
}

function saysTrue(body: Uint8Array, field: string): boolean {
  try {
    const answer: unknown = JSON.parse(Buffer.from(body).toString());
    return typeof answer === 'object' && answer !== null && Reflect.get(answer, field) === true;
  } catch {
    return false;
  }
}
