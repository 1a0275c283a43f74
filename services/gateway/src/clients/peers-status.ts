import { SettingsServiceService } from '@weft/proto/settings';
import { createCaller } from '@weft/service-kit/grpc';
import type { Peer } from './callers';

/** Whether a service responds, and with which release. */
export interface PeerStatus {
  readonly name: string;
  readonly reachable: boolean;
  /** Empty: the service does not respond, or is of release 0.1.0, which does not report its release. */
  readonly release: string;
}

/** Asks all services at once. */
export interface PeersStatusClient {
  readonly read: () => Promise<readonly PeerStatus[]>;
  readonly close: () => void;
}

/** A service that takes longer is shown as unreachable. */
const DEADLINE_MS = 2_000;

/** Connects to services to read their status. @param peers by name */
export const createPeersStatusClient = (peers: Readonly<Record<string, Peer>>): PeersStatusClient => {
  const callers = Object.entries(peers).map(([name, peer]) => ({
    name,
    ...createCaller(SettingsServiceService, { service: name, ...peer }),
  }));
  return {
    read: () =>
      Promise.all(
        callers.map(async ({ name, calls }) => {
          try {
            const { release } = await calls.getSharedSettings({}, { deadlineMs: DEADLINE_MS });
            return { name, reachable: true, release };
          } catch {
            return { name, reachable: false, release: '' };
          }
        }),
      ),
    close: () => callers.forEach(({ close }) => close()),
  };
};
