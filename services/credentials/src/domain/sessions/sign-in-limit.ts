import { createHmac, type KeyObject } from 'node:crypto';
import { TooManySignIns } from '../errors';

/** A window in which attempts are counted. */
export interface SignInWindow {
  readonly attempts: number;
  readonly endsAt: Date;
  /** How often in a row the limit was passed. */
  readonly level: number;
}

/** Where the windows are kept, shared by all replicas. */
export interface SignInWindowStore {
  /** Counts an attempt in the open window, or opens one that ends at `endsAt`. */
  readonly count: (id: string, now: Date, endsAt: Date) => Promise<SignInWindow>;
  /** Keeps the window closed until `endsAt` and raises its level, if it is still at `level`. */
  readonly extend: (id: string, level: number, endsAt: Date) => Promise<void>;
  /** Takes one attempt back. */
  readonly forgive: (id: string) => Promise<void>;
  readonly clear: (id: string) => Promise<void>;
}

/** Attempts to sign in, limited for each account and each address, whether or not the account exists. */
export interface SignInLimit {
  /**
   * Counts an attempt before its password is looked at, so that attempts at once are counted too.
   * @throws TooManySignIns
   */
  readonly attempt: (email: string, address: string) => Promise<void>;
  /** The attempt was right: the account begins anew. */
  readonly succeeded: (email: string, address: string) => Promise<void>;
}

const MINUTE_MS = 60_000;
const MAX_BLOCK_MS = 15 * MINUTE_MS;

/** Attempts a minute for one account. */
export const ACCOUNT_LIMIT = 10;

/** Failed attempts a minute from one address; many people may share one behind a proxy. */
export const ADDRESS_LIMIT = 100;

/**
 * How long an account or address is closed, in milliseconds: a minute, then twice as long each time, up to 15 minutes.
 */
export const blockMs = (level: number): number => Math.min(MAX_BLOCK_MS, MINUTE_MS * 2 ** Math.min(level, 10));

/**
 * @param naming key under which emails and addresses become ids: the store holds neither, nor a password typed into
 * the wrong field.
 */
export const createSignInLimit = (store: SignInWindowStore, naming: KeyObject, clock: () => Date): SignInLimit => {
  const idOf = (kind: 'account' | 'address', text: string): string =>
    `${kind}:${createHmac('sha256', naming).update(text).digest('base64url')}`;
  const count = async (id: string, limit: number): Promise<void> => {
    const now = clock();
    const window = await store.count(id, now, new Date(now.getTime() + MINUTE_MS));
    if (window.attempts <= limit) return;
    const isFirstOver = window.attempts === limit + 1;
    const endsAt = isFirstOver ? new Date(now.getTime() + blockMs(window.level)) : window.endsAt;
    if (isFirstOver) await store.extend(id, window.level, endsAt);
    throw new TooManySignIns(Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1_000)));
  };
  return {
    attempt: async (email, address) => {
      if (address !== '') await count(idOf('address', address), ADDRESS_LIMIT);
      await count(idOf('account', email), ACCOUNT_LIMIT);
    },
    succeeded: async (email, address) => {
      if (address !== '') await store.forgive(idOf('address', address));
      await store.clear(idOf('account', email));
    },
  };
};
