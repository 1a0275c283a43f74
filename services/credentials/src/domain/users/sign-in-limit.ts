import { createHmac, type KeyObject } from 'node:crypto';
import { TooManySignIns } from '../errors';

/** A window in which attempts are counted. */
export interface SignInWindow {
  readonly attempts: number;
  readonly endsAt: Date;
  /** Number of consecutive times that the limit was exceeded. */
  readonly level: number;
}

/** Store of the windows, shared by all replicas. */
export interface SignInWindowStore {
  /** Counts an attempt in the open window, or opens one that ends at `endsAt`. */
  readonly count: (id: string, now: Date, endsAt: Date) => Promise<SignInWindow>;
  /** Extends the window until `endsAt` and raises its level, if it is still at `level`. */
  readonly extend: (id: string, level: number, endsAt: Date) => Promise<void>;
  /** Uncounts one attempt. */
  readonly forgive: (id: string) => Promise<void>;
  readonly clear: (id: string) => Promise<void>;
}

/**
 * Limit of sign-in attempts per account from one address, and per address, whether or not the account exists. There is
 * no limit per account alone, because strangers could use it to lock a user out.
 */
export interface SignInLimit {
  /** Counts an attempt before its password is checked, so that concurrent attempts count too. @throws TooManySignIns */
  readonly attempt: (email: string, address: string) => Promise<void>;
  /** Resets the account at this address after a successful attempt. */
  readonly succeeded: (email: string, address: string) => Promise<void>;
}

const MINUTE_MS = 60_000;
const MAX_BLOCK_MS = 15 * MINUTE_MS;

/** Attempts per minute for an account from one address. */
export const ACCOUNT_LIMIT = 10;

/** Failed attempts per minute and address; many people may share an address behind a proxy. */
export const ADDRESS_LIMIT = 100;

/**
 * Duration for which an account at an address, or an address, is blocked, in milliseconds: one minute, doubled each
 * time, up to 15 minutes.
 */
export const blockMs = (level: number): number => Math.min(MAX_BLOCK_MS, MINUTE_MS * 2 ** Math.min(level, 10));

/**
 * @param naming key of the HMAC that turns emails and addresses into ids, so that the store holds neither, nor a
 * password typed into the wrong field
 */
export const createSignInLimit = (store: SignInWindowStore, naming: KeyObject, clock: () => Date): SignInLimit => {
  const idOf = (kind: 'account' | 'address', ...parts: readonly string[]): string =>
    `${kind}:${createHmac('sha256', naming).update(JSON.stringify(parts)).digest('base64url')}`;
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
      await count(idOf('account', email, address), ACCOUNT_LIMIT);
    },
    succeeded: async (email, address) => {
      if (address !== '') await store.forgive(idOf('address', address));
      await store.clear(idOf('account', email, address));
    },
  };
};
