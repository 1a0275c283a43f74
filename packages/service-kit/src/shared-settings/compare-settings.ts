import { SettingsServiceService } from '@weft/proto/settings';
import type { TokenSigner } from '../auth';
import { createCaller } from '../grpc';
import type { Logger } from '../logging';
import { differencesOf, type Difference, type SharedSettings } from './shared-settings';

export interface CompareOptions {
  /** Name of this service. */
  readonly service: string;
  readonly settings: SharedSettings;
  /** gRPC targets of the services to compare with, by name. */
  readonly peers: Readonly<Record<string, string>>;
  readonly sign: TokenSigner;
  readonly logger: Logger;
  /** Milliseconds between two calls to a peer that did not respond or has different settings; default 5 s. */
  readonly retryMs?: number;
  /** Milliseconds between two calls to any other peer; default one minute. */
  readonly everyMs?: number;
}

/** A running comparison. */
export interface SettingsComparison {
  /**
   * False from the first difference until the settings match once. After that the process stays ready, so that a
   * setting being rolled out one service at a time takes no process out of service.
   */
  readonly isReady: () => boolean;
  readonly stop: () => void;
}

const RETRY_MS = 5_000;
const EVERY_MS = 60_000;
const DEADLINE_MS = 5_000;

const describe = ({ variable, own, theirs }: Difference, service: string, peer: string): string =>
  `${variable} is ${JSON.stringify(own)} in ${service} and ${JSON.stringify(theirs)} in ${peer}`;

/**
 * Compares the shared settings of this process with those of its peers, immediately and then periodically. Ignores a
 * peer that is unreachable, or whose release does not serve its settings.
 */
export const compareSettings = (options: CompareOptions): SettingsComparison => {
  const { service, settings, sign, logger, retryMs = RETRY_MS, everyMs = EVERY_MS } = options;
  const comparisons = Object.entries(options.peers).map(([peer, target]) => {
    const { calls, close } = createCaller(SettingsServiceService, { service: peer, target, sign });
    let hasMatched = false;
    let shown = '';
    let timer: NodeJS.Timeout | undefined;
    let isStopped = false;
    const show = (differences: readonly Difference[]): void => {
      const text = differences.map((difference) => describe(difference, service, peer)).join('; ');
      hasMatched ||= text === '';
      if (text === shown) return;
      shown = text;
      if (text === '') logger.info({ peer }, 'settings match those of the peer again');
      else logger.error({ peer, differences }, `${text}: set the same value in both services`);
    };
    const ask = async (): Promise<void> => {
      let isAnswered = false;
      try {
        const answer = await calls.getSharedSettings({}, { deadlineMs: DEADLINE_MS });
        isAnswered = true;
        if (!isStopped) show(differencesOf(settings, answer.settings));
      } catch {
        // A peer that is unreachable or of an older release is ignored.
      }
      // The timer must not keep a process alive that failed to start, for example because its port is taken.
      if (!isStopped) timer = setTimeout(() => void ask(), isAnswered && hasMatched ? everyMs : retryMs).unref();
    };
    void ask();
    return {
      isReady: () => hasMatched || shown === '',
      stop: () => {
        isStopped = true;
        clearTimeout(timer);
        close();
      },
    };
  });
  return {
    isReady: () => comparisons.every(({ isReady }) => isReady()),
    stop: () => comparisons.forEach(({ stop }) => stop()),
  };
};
