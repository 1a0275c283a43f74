import { createWeft, errorOf, unanswered, WeftError } from '@weft/client';
import { isRecord } from '../ui/values/json';
import { createStore } from '../ui/store';

/** Base of the console's own paths; the session cookie is sent to them alone. */
export const CONSOLE = '/console';

const HEADER = { 'x-weft-console': '1' };
const TIMEOUT_MS = 35_000;
/** A request waits this long for its user to sign in again. */
const SIGN_IN_MS = 900_000;

/** True while a session has ended under an open page: the sign-in dialog is shown on top. */
export const sessionEnded = createStore(false);

/** True once the gateway serves another build than this page's. */
export const isOutdated = createStore(false);

const ownBuild = document.querySelector<HTMLMetaElement>('meta[name="weft-build"]')?.content;

let signedInAgain: PromiseWithResolvers<void> | undefined;

/** Lets the requests that the ended session refused continue. */
export const resumeSession = (): void => {
  sessionEnded.set(false);
  signedInAgain?.resolve();
  signedInAgain = undefined;
};

const untilSignedIn = (): Promise<void> => {
  signedInAgain ??= Promise.withResolvers();
  sessionEnded.set(true);
  return signedInAgain.promise;
};

const attempt = async (input: RequestInfo | URL, init: RequestInit): Promise<Response> => {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = init.signal === undefined || init.signal === null ? timeout : AbortSignal.any([init.signal, timeout]);
  const response = await fetch(input, { ...init, signal });
  const build = response.headers.get('x-weft-console-build');
  if (build !== null && ownBuild !== undefined && build !== ownBuild) isOutdated.set(true);
  return response;
};

/** Sends a request of the page. One that an ended session refuses is repeated after the next sign-in. */
const send = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(HEADER)) headers.set(name, value);
  for (;;) {
    const response = await attempt(input, { ...init, headers });
    if (response.status !== 401) return response;
    await untilSignedIn();
  }
};

/** The REST API, called with the session of the page. */
export const weft = createWeft({
  baseUrl: `${location.origin}${CONSOLE}`,
  fetch: send,
  timeoutMs: SIGN_IN_MS,
  retries: 1,
});

/** JSON as text: the form of its numbers and its white space count. */
export interface TextResponse {
  readonly text: string;
  readonly headers: Headers;
}

/** Calls an endpoint of the REST API without parsing or writing JSON. @throws WeftError */
export const callText = async (
  method: string,
  path: string,
  {
    body,
    headers = {},
    signal,
  }: {
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  } = {},
): Promise<TextResponse> => {
  const response = await send(`${CONSOLE}/api/v1${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    throw unanswered(error);
  });
  if (!response.ok) throw await errorOf(response);
  return { text: await response.text(), headers: response.headers };
};

/** The signed-in user. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly role: string;
}

/** Calls an endpoint of the sign-in. @throws WeftError */
export const callPage = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const response = await attempt(`${CONSOLE}/api${path}`, {
    method,
    headers: { ...HEADER, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const parsed: unknown = await response.json().catch(() => undefined);
  const content = isRecord(parsed) ? parsed : {};
  if (response.ok) return content['data'];
  const error = isRecord(content['error']) ? content['error'] : {};
  throw new WeftError({
    message: typeof error['message'] === 'string' ? error['message'] : `The server answered ${response.status}.`,
    status: response.status,
    code: typeof error['code'] === 'string' ? error['code'] : 'UNKNOWN',
    reason: undefined,
    details: {},
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: undefined,
  });
};

/** The person of a response; null without a session. */
export const personOf = (value: unknown): Person | null => {
  if (!isRecord(value)) return null;
  const { id, email, role } = value;
  return typeof id === 'string' && typeof email === 'string' && typeof role === 'string' ? { id, email, role } : null;
};
