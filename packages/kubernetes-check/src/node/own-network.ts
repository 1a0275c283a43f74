import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inNetworkOfItsOwn, StackError } from '@weft/local-stack';
import { CLUSTER_NETWORK } from './node-agent';

/** Set in the process that runs inside. */
const INSIDE = 'WEFT_INSIDE_NETWORK';

const SETUP = [
  `ip addr add ${CLUSTER_NETWORK.dns}/32 dev lo`,
  `ip route add local ${CLUSTER_NETWORK.pods}.0/24 dev lo`,
  `ip route add local ${CLUSTER_NETWORK.services} dev lo`,
];

/** True in a process that {@link runInOwnNetwork} has started. */
export const isInOwnNetwork = (): boolean => process.env[INSIDE] === '1';

/**
 * Runs this program again in a separate network, in which the addresses of pods and Services and the cluster's DNS are
 * addresses of this machine. The API server refuses loopback addresses for pods, and none of this is visible outside.
 * Returns its exit code. @throws StackError where the machine does not allow it
 */
export const runInOwnNetwork = async (namespace: string): Promise<number> => {
  if (process.getuid?.() !== 0)
    throw new StackError('Pods need a separate network, which only root can make: run this as root.');
  const folder = mkdtempSync(join(tmpdir(), 'weft-network-'));
  const resolver = join(folder, 'resolv.conf');
  const search = [`${namespace}.svc`, 'svc', ''].map((part) => `${part}${part === '' ? '' : '.'}cluster.local`);
  writeFileSync(resolver, `nameserver ${CLUSTER_NETWORK.dns}\nsearch ${search.join(' ')}\noptions ndots:5\n`, {
    mode: 0o644,
  });
  const again = { command: process.execPath, args: [...process.execArgv, ...process.argv.slice(1)] };
  const { command, args } = inNetworkOfItsOwn(SETUP, resolver, again);
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('exit', (code) => resolve(code ?? 1));
      child.once('error', (error) => reject(new StackError(`unshare cannot be run: ${error.message}`)));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
