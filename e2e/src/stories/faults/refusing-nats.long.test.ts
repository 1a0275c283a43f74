import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@weft/service-kit/logging';
import {
  connectNats,
  isConnected,
  onReconnected,
  type NatsConnection,
  type NatsSettings,
} from '@weft/service-kit/nats';
import { nkeys } from 'nats';
import { startNatsCluster, type NatsCluster } from '../../support/stand-ins/nats-cluster';
import { until } from '../../support/until';

type KeyPair = ReturnType<typeof nkeys.createUser>;
interface Line {
  readonly msg: string;
  readonly refusals?: number;
  readonly failures?: number;
}

const folder = mkdtempSync(join(tmpdir(), 'refusing-nats-'));
const [known, unknown] = [nkeys.createUser(), nkeys.createUser()];
const REFUSED = /^NATS refused the authentication\. Check NATS_USER/;

describe('a cluster of NATS servers, all of which refuse the key of a process', () => {
  const lines: Line[] = [];
  const logger = createLogger('test', 'info', { write: (line) => void lines.push(JSON.parse(line)) });
  const messages = (): string[] => lines.map(({ msg }) => msg);
  const connections: NatsConnection[] = [];
  let cluster: NatsCluster;

  const allow = (key: KeyPair): void => {
    writeFileSync(join(folder, 'users.conf'), `users: [{ nkey: "${key.getPublicKey()}" }]`);
    cluster?.servers.forEach(({ process }) => process.kill('SIGHUP'));
  };
  const settingsOf = (key: KeyPair): NatsSettings => {
    const natsNkeyFile = join(folder, `${key.getPublicKey()}.nk`);
    writeFileSync(natsNkeyFile, new TextDecoder().decode(key.getSeed()));
    return { natsUrl: `nats://127.0.0.1:${cluster.ports[0]}`, natsNkeyFile };
  };
  const connected = async (key: KeyPair, waits: boolean): Promise<NatsConnection> => {
    const connection = await connectNats(settingsOf(key), 'test', logger, waits);
    connections.push(connection);
    return connection;
  };
  /** Number of connections that the servers refused. */
  const refused = (): number =>
    [0, 1, 2]
      .map((index) => readFileSync(join(folder, `data-${index}/logs/nats.log`), 'utf8'))
      .flatMap((log) => log.match(/authentication error/gi) ?? []).length;

  beforeAll(async () => {
    writeFileSync(join(folder, 'users.conf'), '');
    allow(known);
    cluster = await startNatsCluster(folder, ({ index, routes }) =>
      [
        `server_name: nats-${index}`,
        'authorization { include "../users.conf" }',
        `cluster { name: refusing, listen: "127.0.0.1:${routes[index]}"`,
        `routes: [${routes.map((port) => `"nats://127.0.0.1:${port}"`).join(', ')}] }`,
      ].join('\n'),
    );
    const connection = await connected(known, false);
    await until('the servers have found each other', async () => connection.info?.connect_urls?.length === 3);
    await connection.close();
  });
  beforeEach(() => {
    lines.length = 0;
  });
  afterAll(async () => {
    for (const connection of connections) await connection.close();
    for (const server of cluster.servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('answers a first attempt once, with what to check', async () => {
    const before = refused();
    await expect(connected(unknown, false)).rejects.toThrow(REFUSED);
    expect(refused() - before).toBe(1);
  });

  it('is asked ever more rarely by a process that waits for it, which says so once', async () => {
    const before = refused();
    const waiting = connected(unknown, true);
    await until('it was refused', async () => lines.length > 0);
    await sleep(4_000);
    // After 0, 250, 500, 1,000, 2,000 ms and so on, each up to half of it earlier.
    expect(refused() - before).toBeLessThanOrEqual(6);
    expect(messages()).toEqual(['NATS cannot be used yet; trying again']);
    allow(unknown);
    await (await waiting).close();
    expect(messages().slice(1)).toEqual(['NATS is available']);
    allow(known);
  });

  it('is asked ever more rarely by a process that was connected, which is back when it is let in again', async () => {
    // The servers reload their users at some moment of the next outage.
    const connection = await connected(known, true);
    let reconnections = 0;
    onReconnected(connection, () => (reconnections += 1));
    const before = refused();
    lines.length = 0;
    allow(unknown);
    await until('the connection is lost', async () => !isConnected(connection));
    await sleep(10_000);
    expect(connection.isClosed()).toBe(false);
    expect(isConnected(connection)).toBe(false);
    // Three servers, each after 250 to 500 ms at first and then after a quarter of the elapsed time; at the pace
    // of an outage there would be 60 and more on an idle machine.
    expect(refused() - before).toBeGreaterThan(3);
    expect(refused() - before).toBeLessThan(50);
    expect(messages().filter((message) => message.startsWith('connection'))).toEqual([
      'connection to NATS lost; trying again',
    ]);
    expect(messages().filter((message) => REFUSED.test(message))).toHaveLength(1);
    expect(lines).toHaveLength(2);

    allow(known);
    await until('it is back', async () => isConnected(connection));
    expect(reconnections).toBe(1);
    const [back] = lines.slice(2);
    expect(back?.msg).toBe('connected to NATS again');
    expect(back?.refusals).toBeGreaterThan(3);
  });
});
