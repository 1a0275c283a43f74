import { addCondition } from '../lifecycle/conditions';

/** Number of peers that must refuse this process: a single one may be the one that is wrong. */
const MIN_PEERS = 2;

/** Milliseconds after which a refusal no longer counts: the peer may not have been called since. */
const LASTS_MS = 60_000;

/** Notes which peers accept the tokens of this process. */
export interface PeerTrust {
  readonly refused: (peer: string) => void;
  readonly accepted: (peer: string) => void;
  /** Why the process is not ready; undefined if it is. */
  readonly fault: () => string | undefined;
}

/** @param clock monotonic milliseconds */
export const createPeerTrust = (clock: () => number = () => performance.now()): PeerTrust => {
  const refusedAt = new Map<string, number>();
  return {
    refused: (peer) => void refusedAt.set(peer, clock()),
    accepted: (peer) => {
      if (refusedAt.size > 0) refusedAt.delete(peer);
    },
    fault: () => {
      for (const [peer, at] of refusedAt) if (clock() - at > LASTS_MS) refusedAt.delete(peer);
      if (refusedAt.size < MIN_PEERS) return undefined;
      const peers = [...refusedAt.keys()].sort().join(' and ');
      return `the tokens of this process are refused by ${peers}: its clock or its key is wrong`;
    },
  };
};

/** The peers of this process. */
export const peerTrust = createPeerTrust();
addCondition(peerTrust.fault);
