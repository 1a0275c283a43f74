import { createHash } from 'node:crypto';
import { ResumeTokenUnknown, ExecutionNotWaiting, ExecutionNotWaitingYet } from '../state/errors';
import type { ExecutionRecord } from '../state/execution';
import { isEndState } from '../state/execution-state';

const MAX_TOKEN_LENGTH = 500;

/** Hash under which a token is stored: SHA-256, in hexadecimal. @throws ResumeTokenUnknown for malformed tokens */
export const hashOfToken = (token: string): string => {
  if (token === '' || token.length > MAX_TOKEN_LENGTH) throw new ResumeTokenUnknown();
  return createHash('sha256').update(token).digest('hex');
};

/** Fields read of the execution of a token. */
export type TokenHolder = Pick<
  ExecutionRecord,
  '_id' | 'workflowId' | 'ownerId' | 'state' | 'generation' | 'wait' | 'hasWaited' | 'responseSeq' | 'response'
>;

/** Finds the execution whose token has this hash; undefined if there is none. @throws Unavailable */
export type FindByToken = (tokenHash: string) => Promise<TokenHolder | undefined>;

/** An execution that waits for a token. `generation` identifies this wait among all of the execution. */
export interface FoundWait {
  readonly holder: TokenHolder;
  readonly tokenHash: string;
}

/**
 * Finds the execution that waits for a token. @throws ResumeTokenUnknown, ExecutionNotWaiting, ExecutionNotWaitingYet
 */
export type FindWait = (token: string) => Promise<FoundWait>;

/** True if the execution waits for the token with this hash now. */
export const waitsFor = ({ state, wait: wait }: TokenHolder, tokenHash: string): boolean =>
  state === 'waiting' && wait?.tokenHash === tokenHash;

/** Finds waits by tokens. */
export const createFindWait =
  (findByToken: FindByToken): FindWait =>
  async (token) => {
    const tokenHash = hashOfToken(token);
    const holder = await findByToken(tokenHash);
    if (holder === undefined) throw new ResumeTokenUnknown();
    if (waitsFor(holder, tokenHash)) return { holder, tokenHash };
    if (isEndState(holder.state) || holder.hasWaited === true) throw new ExecutionNotWaiting(isEndState(holder.state));
    throw new ExecutionNotWaitingYet();
  };
