import { CREDENTIAL_TYPES, type JsonObject } from '@weft/node-catalogue';
import { NodeFailure, SecretMask } from '@weft/engine';
import {
  DatabaseFailed,
  type Databases,
  type MailCheck,
  MailFailed,
  OutboundError,
  type OutboundHttp,
  RemoteFailed,
  type RemoteServers,
} from '@weft/outbound';
import { loginSecretsOf } from '../mongo-db/session';
import { maskedLine } from '../shared/masked-line';
import { listBuckets } from './list-buckets';
import { LOGINS } from './logins';
import { sendTestRequest } from './send-test-request';

/** Outbound clients, all behind the same guard. */
export interface TestPorts {
  readonly http: OutboundHttp;
  readonly checkMail: MailCheck;
  readonly databases: Databases;
  readonly remote: RemoteServers;
}

/** A credential to test. */
export interface TestedCredential {
  readonly type: string;
  readonly data: JsonObject;
  /** URL for types whose test is a request to a URL from the caller; empty otherwise. */
  readonly url: string;
}

/** Result of a test, in one sentence without secrets. */
export interface TestResult {
  readonly outcome: 'accepted' | 'refused' | 'untestable';
  readonly message: string;
}

/** Time limit of one test in milliseconds. */
export const TEST_MS = 10_000;

const MAX_MESSAGE = 500;

/** Errors with a message for users that explains why a service was unreachable or rejected a login. */
const FAILURES = [NodeFailure, OutboundError, DatabaseFailed, MailFailed, RemoteFailed];

/**
 * Tests a credential as its type declares. It changes nothing at the service.
 * @param ms time limit; for tests
 */
export async function testCredential(
  ports: TestPorts,
  credential: TestedCredential,
  signal: AbortSignal,
  ms = TEST_MS,
): Promise<TestResult> {
  const mask = maskOf(credential);
  const limit = AbortSignal.timeout(ms);
  try {
    const { outcome, message } = await attempt(ports, credential, mask, AbortSignal.any([limit, signal]), ms);
    return { outcome, message: maskedLine(mask, message, MAX_MESSAGE) };
  } catch (error) {
    if (limit.aborted) return { outcome: 'refused', message: `There was no answer within ${ms / 1_000} s.` };
    if (!(error instanceof Error) || !FAILURES.some((kind) => error instanceof kind)) throw error;
    return { outcome: 'refused', message: maskedLine(mask, error.message, MAX_MESSAGE) };
  }
}

function attempt(
  ports: TestPorts,
  { type, data, url }: TestedCredential,
  mask: SecretMask,
  signal: AbortSignal,
  ms: number,
): Promise<TestResult> | TestResult {
  const test = CREDENTIAL_TYPES.get(type)?.test;
  switch (test?.kind) {
    case 'login':
      return logIn(ports, type, data, signal);
    case 'buckets':
      return listBuckets(ports.http, type, data, signal, ms);
    case 'request':
    case 'address':
      return sendTestRequest(ports.http, { type, data, url, test }, { signal, ms, hide: (secret) => mask.add(secret) });
    case undefined:
      return { outcome: 'untestable', message: `Credentials of type ${type} cannot be tested.` };
  }
}

async function logIn(ports: TestPorts, type: string, data: JsonObject, signal: AbortSignal): Promise<TestResult> {
  const login = LOGINS.get(type);
  if (login === undefined) throw new Error(`The type ${type} declares an unknown login.`);
  await login(ports, data, signal);
  return { outcome: 'accepted', message: 'The server accepts the login.' };
}

function maskOf({ type, data }: TestedCredential): SecretMask {
  const mask = new SecretMask();
  mask.learn(type, data);
  const url = data['connectionString'];
  if (typeof url === 'string') for (const secret of loginSecretsOf(url)) mask.add(secret);
  return mask;
}
