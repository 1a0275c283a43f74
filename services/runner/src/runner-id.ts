import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { uuidv7 } from '@weft/service-kit/ids';

const NAME_LENGTH = 16;

/** The current start of the machine, also from within a container. */
const bootId = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
};

/**
 * Id of this process of a runner, which is in the leases of its claims: `<runner>.<start>`. The first part is the same
 * after a restart in the same container or on the same machine, but that of no other live runner: host, addresses and
 * port together have one user at a time. The second one sorts by start. Without a fixed port a runner has no successor.
 */
export const createRunnerId = (port: number): string => {
  const start = uuidv7();
  if (port === 0) return `${start}.${start}`;
  const addresses = Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).flatMap(({ family, internal, address }) => (family === 'IPv4' && !internal ? [address] : [])),
  );
  const place = JSON.stringify([hostname(), bootId(), addresses.sort(), port]);
  return `${createHash('sha256').update(place).digest('hex').slice(0, NAME_LENGTH)}.${start}`;
};

/** Id for a child process of a runner. */
export const createChildId = (runnerId: string): string => `${runnerId}.${uuidv7().slice(-12)}`;

/** The id that the runner gave to this child process. */
export const idOfThisChild = (): string => process.argv[2] ?? createRunnerId(0);
