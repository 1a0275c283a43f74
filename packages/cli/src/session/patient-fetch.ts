import { setTimeout as delay } from 'node:timers/promises';
import { CommandError, EXIT } from './exit-code';

/** How long to wait, and where to say so. */
export interface Patience {
  /** Milliseconds to wait for a rate limit, per request. */
  readonly rateLimitMs: number;
  /** Ends every request: Ctrl-C. */
  readonly signal: AbortSignal;
  /** One line for each request. */
  readonly debug: (line: string) => void;
  /** Messages for the caller, each once. */
  readonly warn: (line: string) => void;
}

const REQUEST_MS = 60_000;
const TRIES = 3;
const PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;
const MAX_SKEW_MS = 300_000;

/** Reads, checks (which store nothing), and starts with a key have no further effect when repeated. */
const isRepeatable = (method: string, url: string, headers: Headers): boolean =>
  method === 'GET' || headers.has('idempotency-key') || (method === 'POST' && url.endsWith('/workflows/check'));

const secondsOf = (response: Response): number | undefined => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
};

const causeOf = (error: unknown): { readonly code: string; readonly message: string } => {
  const cause: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return { code, message: cause instanceof Error ? cause.message : String(cause) };
};

const isTlsError = (code: string): boolean =>
  /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/.test(code);

/** A failure to connect, in words that say what to do. */
const unreachable = (url: string, error: unknown): CommandError => {
  const { code, message } = causeOf(error);
  const { origin } = new URL(url);
  return new CommandError(
    isTlsError(code)
      ? `The certificate of ${origin} was refused (${code}: ${message}). Set WEFT_CA to the file of its authority.`
      : `${origin} cannot be reached: ${message}. Check the address, the network and the server.`,
    EXIT.unavailable,
  );
};

const refuseHtml = (url: string, response: Response): void => {
  if (response.headers.get('content-type')?.startsWith('text/html') !== true) return;
  throw new CommandError(
    `${new URL(url).origin} sent an HTML page with ${response.status}. It is not the API, or a proxy is in between.`,
    response.status === 404 ? EXIT.notFound : EXIT.unavailable,
  );
};

/** Local minus remote time in milliseconds; 0 if the response has no date. */
const skewOf = (response: Response, nowMs: number): number => {
  const remote = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(remote) ? 0 : nowMs - remote;
};

/**
 * A fetch that waits for rate limits, repeats reads and starts after 503 or no answer, and explains why a server cannot
 * be reached.
 */
export const patientFetch = (
  send: typeof fetch,
  { rateLimitMs, signal: stop, debug, warn }: Patience,
): typeof fetch => {
  const warned = new Set<string>();
  const warnOnce = (line: string): void => {
    if (!warned.has(line)) warn(line);
    warned.add(line);
  };
  return async (input, init = {}) => {
    const url = String(input instanceof Request ? input.url : input);
    const method = init.method ?? 'GET';
    const repeatable = isRepeatable(method, url, new Headers(init.headers));
    const given = AbortSignal.any([stop, ...(init.signal ? [init.signal] : [])]);
    const pause = (ms: number): Promise<void> => delay(ms, undefined, { signal: given });
    let waited = 0;
    for (let tries = 1; ;) {
      const began = performance.now();
      const timeout = AbortSignal.timeout(REQUEST_MS);
      const signal = AbortSignal.any([given, timeout]);
      let response: Response;
      try {
        response = await send(url, { ...init, signal });
      } catch (error) {
        debug(`${method} ${url}: ${causeOf(error).message}`);
        if (given.aborted) throw error;
        if (!repeatable || tries >= TRIES || isTlsError(causeOf(error).code)) throw unreachable(url, error);
        await pause(PAUSE_MS * 2 ** tries);
        tries += 1;
        continue;
      }
      debug(`${method} ${url}: ${response.status} in ${Math.round(performance.now() - began)} ms`);
      if (Math.abs(skewOf(response, Date.now())) > MAX_SKEW_MS)
        warnOnce('The clock of this machine and that of the server differ by more than five minutes.');
      refuseHtml(url, response);
      const wait = Math.min((secondsOf(response) ?? 1) * 1_000, MAX_PAUSE_MS);
      if (response.status === 429 && waited + wait <= rateLimitMs) {
        warnOnce(`Waiting for the rate limit of the key.`);
        waited += Math.max(wait, 100);
      } else if (response.status === 503 && repeatable && tries < TRIES) tries += 1;
      else return response;
      await response.body?.cancel();
      await pause(wait);
    }
  };
};
