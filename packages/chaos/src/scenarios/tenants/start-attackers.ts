import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Stack } from '@weft/local-stack';
import type { AttackMessage, AttackTarget } from './attackers';

/** Attacks a stack until it is stopped. */
export interface Attackers {
  /** @returns the number of its requests by kind and answer */
  readonly stop: () => Promise<Readonly<Record<string, number>>>;
}

/** The programs that attack, by their path below the scenarios. */
export type AttackProgram = 'tenants/hostile-tenant-main' | 'strangers/strangers-main';

/**
 * Starts a program that attacks, with the servers that it needs, as a separate process: its traffic must not delay the
 * clients whose answers are timed.
 */
export const startAttackers = async (
  program: AttackProgram,
  { baseUrls, grpcTargets, apiKey, ownerEmail }: Stack,
): Promise<Attackers> => {
  const target: AttackTarget = { baseUrls, grpcTargets, apiKey, ownerEmail };
  const child = fork(join(__dirname, '..', `${program}.js`), [JSON.stringify(target)]);
  const next = (kind: AttackMessage['kind']): Promise<AttackMessage> =>
    new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`${program} ended with ${code}; see its output above.`)));
      child.on('message', (message: AttackMessage) => {
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
