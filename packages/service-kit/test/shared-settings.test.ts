import { createTokenVerifier } from '../src/auth';
import { Unauthorized } from '../src/errors';
import { countCallEvents, startGrpcServer, type BoundService, type GrpcServer } from '../src/grpc';
import { bindSharedSettings, compareSettings, type SharedSettings } from '../src/shared-settings';
import { closeAfterEach, keptLog, makeTestKeys, testLogger, until } from '../src/testing';

describe('settings that services share', () => {
  const later = closeAfterEach();
  const keys = makeTestKeys(['runner', 'workflows']);
  const log = keptLog('info');
  beforeEach(() => void log.lines.splice(0));

  const serve = async (services: readonly BoundService[], port = 0): Promise<GrpcServer> =>
    later(
      await startGrpcServer({
        host: '127.0.0.1',
        port,
        services,
        logger: testLogger(),
        reflection: false,
        authentication: {
          verifyToken: createTokenVerifier('workflows', () => keys.publicKeys),
          verifyUser: () => Promise.reject(new Unauthorized()),
          trustedCallers: [],
        },
        checkReady: () => Promise.resolve(true),
        checkLive: () => true,
      }),
      ({ stop }) => stop(100),
    );
  const compare = (settings: SharedSettings, port: number) =>
    later(
      compareSettings({
        service: 'runner',
        settings,
        peers: { workflows: `ipv4:127.0.0.1:${port}` },
        sign: keys.signerOf('runner'),
        logger: log.logger,
        retryMs: 50,
        everyMs: 50,
      }),
      ({ stop }) => stop(),
    );
  const messages = () => log.lines.map(({ msg }) => String(msg));
  const pause = () => new Promise((resolve) => setTimeout(resolve, 300));

  it('keep a process from being ready while they differ, with both values in one log line', async () => {
    const { port } = await serve([bindSharedSettings({ DEFAULT_TIMEZONE: 'Europe/Berlin', PUBLIC_URL: 'http://a' })]);
    const { isReady } = compare({ DEFAULT_TIMEZONE: 'UTC', PUBLIC_URL: 'http://a/', NATS_STREAM: 'own' }, port);
    await until('they are compared', () => !isReady());
    await pause();
    expect(isReady()).toBe(false);
    expect(messages()).toEqual([
      'DEFAULT_TIMEZONE is "UTC" in runner and "Europe/Berlin" in workflows: set the same value in both services',
    ]);
  });

  it('let it be ready once they match, and stay ready when they change at the peer', async () => {
    let theirs = 'other';
    const bound = bindSharedSettings({
      get NATS_STREAM() {
        return theirs;
      },
    });
    const { port } = await serve([bound]);
    const { isReady } = compare({ NATS_STREAM: 'own' }, port);
    await until('they differ', () => !isReady());
    theirs = 'own';
    await until('they match', isReady);
    theirs = 'next';
    await until('the change is logged', () => messages().length === 3);
    expect(isReady()).toBe(true);
    expect(messages()).toEqual([
      expect.stringContaining('NATS_STREAM is "own" in runner and "other" in workflows'),
      'settings match those of the peer again',
      expect.stringContaining('NATS_STREAM is "own" in runner and "next" in workflows'),
    ]);
  });

  it('are compared without events that would keep the polls of an idle peer busy', async () => {
    const { port } = await serve([bindSharedSettings({ NATS_STREAM: 'other' })]);
    const before = countCallEvents();
    const { isReady } = compare({ NATS_STREAM: 'own' }, port);
    await until('they are compared', () => !isReady());
    await pause();
    expect(countCallEvents()).toBe(before);
  });

  it('are ignored while the peer is unreachable or does not serve them, and compared when it does', async () => {
    const older = await serve([]);
    const { isReady } = compare({ NATS_STREAM: 'own' }, older.port);
    await pause();
    expect([isReady(), messages()]).toEqual([true, []]);
    await older.stop(0);
    await pause();
    expect([isReady(), messages()]).toEqual([true, []]);
    await serve([bindSharedSettings({ NATS_STREAM: 'other' })], older.port);
    await until('they are compared', () => !isReady(), 15_000);
  });
});
