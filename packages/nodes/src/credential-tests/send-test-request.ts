import { randomUUID } from 'node:crypto';
import { type CredentialTest, type JsonObject, textField } from '@weft/node-catalogue';
import type { OutboundHttp } from '@weft/outbound';
import { allowedHostsOf, applyCredential, type CredentialParts, NO_CREDENTIAL } from '../http-request/apply-credential';
import { clientCertificateOf } from '../http-request/authentication/client-certificate';
import { checkedUrl } from '../http-request/read-settings';
import { isSuccess, sendRequest } from '../http-request/send-request';
import type { TestedCredential, TestResult } from './test-credential';

/** A credential whose test is a request. */
interface TestRequest extends TestedCredential {
  readonly test: Extract<CredentialTest, { readonly kind: 'request' | 'address' }>;
}

/** What a request runs with. */
interface Around {
  readonly signal: AbortSignal;
  readonly ms: number;
  /** Records a secret that was had with the credential, such as a token. */
  readonly hide: (secret: string) => void;
}

const CERTIFICATE = 'httpSslAuth';
/** The answers that list models of a service are the largest. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Sends one request with a credential. Nothing of its answer is told but the status. Redirects are not followed: where
 * they lead, to a login page as a rule, answers 200 to everybody.
 */
export async function sendTestRequest(
  http: OutboundHttp,
  { type, data, url, test }: TestRequest,
  { signal, ms, hide }: Around,
): Promise<TestResult> {
  const address = test.kind === 'address' ? { url } : filled(test.url, data);
  if ('missing' in address)
    return {
      outcome: 'untestable',
      message: `The credential has no ${address.missing}, so there is nowhere to try it.`,
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

/** The address with the fields that it names, or the name of one that is empty. */
function filled(template: string, data: JsonObject): { readonly url: string } | { readonly missing: string } {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const missing = names.find((name) => (textField(data, name) ?? '').trim() === '');
  if (missing !== undefined) return { missing };
  return {
    url: template.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      (textField(data, name) ?? '').trim().replace(/\/+$/, ''),
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
