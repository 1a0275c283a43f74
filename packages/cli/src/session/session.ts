import { createWeft, type Weft } from '@weft/client';
import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';
import { findContext, type Source } from './contexts';
import { CommandError, EXIT, messageOf } from './exit-code';
import type { Io } from './io';
import { patientFetch } from './patient-fetch';

/** A client of the instance that a command means. */
export interface Session {
  readonly weft: Weft;
  readonly source: Source;
}

/** Options of a session. */
export interface SessionOptions {
  readonly context: string | undefined;
  /** Milliseconds to wait for a rate limit. */
  readonly timeoutMs: number;
  readonly debug: boolean;
}

/** Requests have their own timeouts; this one must only be longer than every wait for a rate limit. */
const CLIENT_MS = 2_000_000_000;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const addAuthority = (file: string): void => {
  if (typeof tls.setDefaultCACertificates !== 'function')
    throw new CommandError(
      `WEFT_CA requires Node 22.19 or 24.5. With this one, set NODE_EXTRA_CA_CERTS=${file}.`,
      EXIT.usage,
    );
  try {
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(file, 'utf8')]);
  } catch (error) {
    throw new CommandError(`WEFT_CA: ${file} cannot be used: ${messageOf(error)}`, EXIT.usage);
  }
};

/** The address as a URL. @throws CommandError */
export const addressOf = (text: string): URL => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CommandError(`"${text}" is not an address such as https://weft.example.com.`, EXIT.usage);
  if (url.username !== '' || url.password !== '')
    throw new CommandError('The address must not contain a user or a password.', EXIT.usage);
  return url;
};

/** A session with this address and key. */
export const openSession = (io: Io, source: Source, { timeoutMs, debug }: SessionOptions): Session => {
  const url = addressOf(source.url);
  const warn = (line: string): void => io.err(`${line}\n`);
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    warn(`Warning: ${url.host} is called without TLS, so the key can be read on the way.`);
  const authority = io.env['WEFT_CA'];
  if (authority !== undefined && authority !== '') addAuthority(authority);
  const weft = createWeft({
    baseUrl: url.href,
    apiKey: source.apiKey,
    retries: 0,
    timeoutMs: CLIENT_MS,
    fetch: patientFetch(globalThis.fetch, {
      rateLimitMs: timeoutMs,
      signal: io.signal,
      debug: debug ? warn : () => undefined,
      warn,
    }),
  });
  return { weft, source };
};

/** A session of the chosen context. @throws CommandError without one */
export const connect = (io: Io, options: SessionOptions): Session =>
  openSession(io, findContext(io, options.context), options);
