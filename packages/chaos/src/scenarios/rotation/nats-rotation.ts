import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@weft/local-stack';
import { createLogger } from '@weft/service-kit/logging';
import { closeNats, connectNats } from '@weft/service-kit/nats';
import type { Violation } from '../../checks/evidence';
import type { ScenarioResult } from '../scenario-result';
import { STEADY_KINDS } from '../kinds';
import { broken, LOOK_MS, rotateUnderLoad, type RotationOptions } from './rotation';
import { openScene, type Scene } from '../scene';
import {
  makeNatsKey,
  startSecuredNats,
  type Authority,
  type NatsClient,
  type NatsKey,
  type SecuredNats,
} from './secured-nats';
import { watchEnds } from '../watch-ends';

/** Time for all processes to connect again: they try every 250 to 500 ms. */
const BACK_LIMIT_MS = 10_000;

/** State of a rotation, for its steps. */
interface Rotation {
  readonly nats: SecuredNats;
  /** Names of connections, and how many there are of each. */
  readonly wanted: ReadonlyMap<string, number>;
  readonly violations: Violation[];
  readonly report: (line: string) => void;
}

/** Waits until every process is connected, each under this key. */
const untilConnected = async (
  { nats, wanted, violations, report }: Rotation,
  step: string,
  { publicKey }: NatsKey,
): Promise<void> => {
  const began = Date.now();
  let seen: readonly NatsClient[] = [];
  const right = (name: string): number =>
    seen.filter((client) => client.name === name && client.publicKey === publicKey).length;
  const isBack = await waitUntil(
    async () => {
      // The server is away for a moment while it restarts.
      seen = await nats.connections().catch(() => []);
      const areAllThere = [...wanted].every(([name, count]) => right(name) >= count);
      return areAllThere && seen.every((client) => client.publicKey === publicKey);
    },
    { limitMs: BACK_LIMIT_MS, everyMs: 50 },
  );
  report(`${step}: ${isBack ? `all connected after ${Date.now() - began} ms` : 'not all are connected'}`);
  if (!isBack) {
    const told = [...wanted].map(([name, count]) => `${right(name)} of ${count} ${name}`).join(', ');
    broken(violations, 'processes reconnect', `${step}: under the key ${told}`);
  }
  await sleep(LOOK_MS);
};

/** Proves that a client with a wrong key, or one that trusts another authority, is not let in. */
const proveRefused = async (
  { nats, violations, report }: Rotation,
  who: string,
  key: NatsKey,
  authority: Authority,
): Promise<void> => {
  const logger = createLogger('chaos', 'fatal');
  const told = await connectNats(nats.settingsOf(key, authority), 'chaos', logger, false).then(
    async (connection) => {
      await closeNats(connection);
      return undefined;
    },
    (error: unknown) => String(error),
  );
  report(`${who}: ${told ?? 'let in'}`);
  if (told === undefined) broken(violations, 'NATS lets in whom it knows', `${who} was let in`);
};

/** Replaces the key of the services. @returns the new one */
const rotateKey = async (rotation: Rotation, old: NatsKey, authority: Authority): Promise<NatsKey> => {
  const { nats } = rotation;
  const next = makeNatsKey();
  await proveRefused(rotation, 'an unknown key', next, authority);
  nats.putUsers(old, next);
  nats.reload();
  await untilConnected(rotation, 'key 1: the server knows both', old);
  nats.putSeed(next);
  await untilConnected(rotation, 'key 2: the new one is in the file', old);
  nats.putUsers(next);
  nats.reload();
  await untilConnected(rotation, 'key 3: the server knows the new one alone', next);
  await proveRefused(rotation, 'the former key', old, authority);
  return next;
};

/** Replaces the authority of the certificates; each connection begins again with its restart. */
const rotateAuthority = async (rotation: Rotation, key: NatsKey, old: Authority): Promise<void> => {
  const { nats } = rotation;
  const next = nats.makeAuthority('next-');
  nats.putTrusted(old, next);
  await untilConnected(rotation, 'authority 1: both are trusted', key);
  nats.putCertificate(next);
  await nats.server.startAgain();
  await untilConnected(rotation, 'authority 2: the server has a certificate of the new one, and restarted', key);
  nats.putTrusted(next);
  await nats.server.startAgain();
  await untilConnected(rotation, 'authority 3: the new one alone is trusted, and the server restarted', key);
  await proveRefused(rotation, 'a server whom the client does not trust', key, old);
};

const run = async (
  scene: Scene,
  nats: SecuredNats,
  keys: { readonly key: NatsKey; readonly authority: Authority },
  options: RotationOptions,
): Promise<ScenarioResult> => {
  const violations: Violation[] = [];
  const { stack } = scene.environment;
  const ended = watchEnds(stack);
  const figures = await rotateUnderLoad(scene, options, violations, async () => {
    const wanted = new Map([
      ['executions', stack.of('executions').length],
      ['weft-runner', stack.of('runner').length],
    ]);
    const rotation: Rotation = { nats, wanted, violations, report: options.report };
    await untilConnected(rotation, 'before', keys.key);
    const next = await rotateKey(rotation, keys.key, keys.authority);
    await rotateAuthority(rotation, next, keys.authority);
  });
  for (const name of ended()) broken(violations, 'no process ends', name);
  return { scenario: 'nats-rotation', figures, violations };
};

/** Replaces the key of the services at NATS and the authority of its certificates under load. */
export const natsRotation = async (options: RotationOptions): Promise<ScenarioResult> => {
  const key = makeNatsKey();
  const nats = await startSecuredNats(key);
  try {
    const scene = await openScene(STEADY_KINDS, options.report, nats.environment);
    try {
      return await run(scene, nats, { key, authority: nats.firstAuthority }, options);
    } finally {
      await scene.stop();
    }
  } finally {
    await nats.stop();
  }
};
