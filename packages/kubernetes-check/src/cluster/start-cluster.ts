import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts, Ledger, ManagedProcess, StackError, tryCommand, waitUntil } from '@weft/local-stack';
import { CONTROL_PLANE } from './control-plane';
import type { ApiAccess } from '../node/api-client';

/** A cluster without nodes: manifests are checked, and nothing runs unless a node is started for it. */
export interface Cluster {
  /** Path of the file by which kubectl finds it. */
  readonly kubeconfig: string;
  readonly access: ApiAccess;
  readonly stop: () => Promise<void>;
}

/** Place and program of a cluster. */
export interface ClusterPlan {
  /** Folder that the recipe of the control plane has filled. */
  readonly programs: string;
  /** Empty folder for its data and logs. */
  readonly folder: string;
  /** The scheduler places pods; without it, the program that brings a node does. */
  readonly schedules: boolean;
}

const LIMIT_MS = 180_000;
const STOP = { signal: 'SIGTERM', graceMs: 10_000 } as const;

const writeSecret = (file: string, text: string): string => {
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};

const kubeconfigFor = (port: number, token: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'admin' } }],
    'current-context': 'c',
  });

/**
 * Starts etcd, API server, controllers and, if wanted, the scheduler on loopback, empty.
 * @throws StackError with the last lines of the part that ended
 */
export async function startCluster({ programs, folder, schedules }: ClusterPlan): Promise<Cluster> {
  const [apiPort = 0, etcdPort = 0, peerPort = 0] = await freePorts(3);
  const [etcd, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
  mkdirSync(folder, { recursive: true });
  const token = randomBytes(16).toString('hex');
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const [signingKey, publicKey] = [join(folder, 'sa.key'), join(folder, 'sa.pub')];
  writeSecret(signingKey, keys.privateKey);
  writeSecret(publicKey, keys.publicKey);
  const tokens = writeSecret(join(folder, 'tokens.csv'), `${token},admin,admin,system:masters\n`);
  const kubeconfig = writeSecret(join(folder, 'kubeconfig'), kubeconfigFor(apiPort, token));
  const ledger = new Ledger(join(folder, 'run'));
  const started: ManagedProcess[] = [];
  const start = (part: string, flags: Readonly<Record<string, string>>): void => {
    const args = [part, ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)];
    const command = join(programs, CONTROL_PLANE);
    const env = { PATH: process.env['PATH'] };
    const logFile = join(folder, 'logs', `${part}.log`);
    started.push(ManagedProcess.start({ name: part, command, args, env, logFile, stopManner: STOP, ledger }));
  };
  const stop = async (): Promise<void> => {
    for (const server of started.reverse()) await server.stop();
  };
  const ready = async (...args: string[]): Promise<void> => {
    const isReady = async (): Promise<boolean> => {
      for (const server of started) server.throwIfEnded();
      return (await tryCommand('kubectl', ['--kubeconfig', kubeconfig, ...args])).code === 0;
    };
    if (!(await waitUntil(isReady, { limitMs: LIMIT_MS, everyMs: 500 })))
      throw new StackError(
        `The control plane did not get ready within ${LIMIT_MS / 1_000} s; its logs are in ${folder}.`,
      );
  };
  try {
    start('etcd', {
      'data-dir': join(folder, 'etcd'),
      'unsafe-no-fsync': 'true',
      'listen-client-urls': etcd,
      'advertise-client-urls': etcd,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `default=${peer}`,
    });
    start('kube-apiserver', {
      'etcd-servers': etcd,
      'bind-address': '127.0.0.1',
      'secure-port': String(apiPort),
      'cert-dir': join(folder, 'certificates'),
      'token-auth-file': tokens,
      'authorization-mode': 'RBAC',
      // A documentation address: the machine may have no route by which the server would find its own.
      'advertise-address': '192.0.2.1',
      'endpoint-reconciler-type': 'none',
      'service-cluster-ip-range': '10.96.0.0/16',
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-account-key-file': publicKey,
      'service-account-signing-key-file': signingKey,
    });
    await ready('get', '--raw', '/readyz');
    start('kube-controller-manager', {
      kubeconfig,
      'leader-elect': 'false',
      'secure-port': '0',
      'use-service-account-credentials': 'true',
      'service-account-private-key-file': signingKey,
    });
    if (schedules) start('kube-scheduler', { kubeconfig, 'leader-elect': 'false', 'secure-port': '0' });
    await ready('get', 'serviceaccount', 'default');
    return { kubeconfig, access: { port: apiPort, token }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
