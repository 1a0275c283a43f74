import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { JsonObject } from '@weft/node-catalogue';
import type { ResumeUrls } from '../node/node-scope';
import { withoutTrailing } from '@weft/service-kit/text';

/** Key of the memory shared by all nodes of a run, among the memories of nodes: no node can have this name. */
export const RUN_MEMORY = '\u0000run';

/** The name of the token in that memory. */
export const TOKEN_MEMORY = 'resumeToken';

/** Makes the token of a run. */
type MakeToken = (executionId: string) => string;

interface Maker {
  readonly executionId: string;
  readonly make: MakeToken;
}

/**
 * Makers of the tokens of runs, by the memory that the nodes of the run share. They refer to nothing of the run: when
 * V8 collects the young generation, it takes the values of a WeakMap that has grown old for needed.
 */
const makers = new WeakMap<JsonObject, Maker>();

/**
 * Says how the token of this run is made when it is first asked for; without that it is a random one.
 * @param make one function for all runs
 */
export function bindResumeToken(runMemory: JsonObject, executionId: string, make: MakeToken): void {
  makers.set(runMemory, { executionId, make });
}

/**
 * Makes tokens that cannot be guessed without the secret, and that are the same on every attempt: an address that was
 * given out before the run was stored still wakes it when its runner died and another one started it again.
 */
export function createResumeTokens(secret: string): MakeToken {
  const key = createHmac('sha256', secret).update('resume tokens').digest();
  return (executionId) => createHmac('sha256', key).update(executionId).digest('base64url');
}

/**
 * The token that proves the right to wake this run: 256 bits, made when it is first asked for and the same for all its
 * waits, so that an address can be sent before the run waits there.
 * @param runMemory what the nodes of the run share; the token is stored in it.
 */
export function resumeTokenOf(runMemory: JsonObject): string {
  const known = runMemory[TOKEN_MEMORY];
  if (typeof known === 'string') return known;
  const maker = makers.get(runMemory);
  const token = maker?.make(maker.executionId) ?? randomBytes(32).toString('base64url');
  runMemory[TOKEN_MEMORY] = token;
  return token;
}

/** The SHA-256 of a token, in hexadecimal: the form that may be stored to look its run up by. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The hash of the run's token, if it was asked for already. @param runMemory undefined if the run has none */
export function knownTokenHash(runMemory: JsonObject | undefined): string | undefined {
  const token = runMemory?.[TOKEN_MEMORY];
  return typeof token === 'string' ? hashOfToken(token) : undefined;
}

/** The addresses that wake this run: for programs, and for people who fill in a form. */
export function resumeUrlsOf(publicUrl: string, runMemory: JsonObject): ResumeUrls {
  const token = resumeTokenOf(runMemory);
  const base = withoutTrailing(publicUrl, '/');
  return { resumeUrl: `${base}/webhook-waiting/${token}`, resumeFormUrl: `${base}/form-waiting/${token}` };
}
