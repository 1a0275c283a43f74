/** Bounds of the pause between two attempts at an unreachable server. */
const AWAY_MS: readonly [number, number] = [250, 500];
/** Maximum pause between two attempts at a server that refuses this process. */
const MAX_REFUSED_MS = 5_000;
/** Pause as a share of the time since the first refusal: a key that is soon replaced is soon used again. */
const REFUSED_SHARE = 1 / 4;
/**
 * Maximum attempts at the first connection: enough for a few servers with a few addresses each. It opens shortly after
 * these servers admit the process.
 */
const MAX_FIRST_ATTEMPTS = 50;

/** The connection attempts of one client. */
export interface Attempts {
  /**
   * Milliseconds until a server is tried again. Called by the client before each attempt.
   * @throws Error after too many attempts without a first connection: the client alone would retry forever
   */
  readonly delayMs: () => number;
  /** A reachable server refused the process. */
  readonly refused: () => void;
  readonly connected: () => void;
}

/**
 * Paces connection attempts: an unreachable server is retried quickly, a refusing one less and less often. Each refusal
 * costs the server a signature check, and the client some memory until it connects.
 * @param clock monotonic milliseconds
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
