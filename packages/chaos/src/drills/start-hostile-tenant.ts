import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Stack } from '@weft/local-stack';
import type { HostileTarget, HostileTenantMessage } from './hostile-tenant-main';

/** A tenant that does harm until it is stopped. */
export interface HostileTenant {
  /** @returns the number of its starts by kind and answer */
  readonly stop: () => Promise<Readonly<Record<string, number>>>;
}

/**
 * Starts the hostile tenant, and the servers that its workflows call, in a process of its own: the large bodies that
 * it sends and receives must not delay the clients whose answers are timed.
 */
export const startHostileTenant = async ({ baseUrls, grpcTargets, apiKey }: Stack): Promise<HostileTenant> => {
  const target: HostileTarget = { baseUrls, grpcTargets, apiKey };
  const child = fork(join(__dirname, 'hostile-tenant-main.js'), [JSON.stringify(target)]);
  const next = (kind: HostileTenantMessage['kind']): Promise<HostileTenantMessage> =>
    new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`The hostile tenant ended with ${code}; see its output above.`)));
      child.on('message', (message: HostileTenantMessage) => {
        if (message.kind === kind) resolve(message);
      });
    });
  await next('started');
  return {
    stop: async () => {
      const stopped = next('stopped');
      child.send('stop');
      const message = await stopped;
      child.kill('SIGKILL');
      return message.kind === 'stopped' ? message.counts : {};
    },
  };
};
