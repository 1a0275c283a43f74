/** Bounds of the pause between two attempts with one server that is away. */
const AWAY_MS: readonly [number, number] = [250, 500];
/** Longest pause between two attempts with one server that refuses this process. */
const MAX_REFUSED_MS = 5_000;
/** Share of the time since the first refusal that is waited: a key that is replaced late is back in use early. */
const REFUSED_SHARE = 1 / 4;
/**
 * Attempts at the first connection: a few servers with a few addresses each. It is opened a moment after these servers
 * let the process in.
 */
const MAX_FIRST_ATTEMPTS = 50;

/** The attempts of one client to be connected. */
export interface Attempts {
  /**
   * Milliseconds until a server is tried again. The client asks before each attempt.
   * @throws Error while there was no connection yet, and too many attempts: the client itself would go on for ever
   */
  readonly delayMs: () => number;
  /** A server was there and refused the process. */
  readonly refused: () => void;
  readonly connected: () => void;
}

/**
 * Sets the pace of attempts: a server that is away is tried again in moments, one that refuses ever more rarely. Each
 * refusal costs the server a look at a signature, and the client some memory until it is connected again.
 * @param clock milliseconds that only grow
 */
export const createAttempts = (clock: () => number = () => performance.now()): Attempts => {
  let wasConnected = false;
  let firstAttempts = 0;
  let refusedSince: number | undefined;
  return {
    delayMs: () => {
      if (!wasConnected && (firstAttempts += 1) > MAX_FIRST_ATTEMPTS)
        throw new Error('The servers of NATS, which name each other, ended all connections at once.');
      const [shortest, longest] = AWAY_MS;
      const awayMs = shortest + Math.random() * (longest - shortest);
      if (refusedSince === undefined) return awayMs;
      return Math.max(awayMs, Math.min(MAX_REFUSED_MS, (clock() - refusedSince) * REFUSED_SHARE));
    },
    refused: () => {
      refusedSince ??= clock();
    },
    connected: () => {
      wasConnected = true;
      refusedSince = undefined;
    },
  };
};
