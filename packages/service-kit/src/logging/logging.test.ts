import { changeLevelOnSignal, createFaultLog, createLogger } from '.';

const openLog = (level = 'info') => {
  const lines: string[] = [];
  const logger = createLogger('test', level, { write: (line) => void lines.push(line) });
  return { logger, text: () => lines.join(''), lines: (): unknown[] => lines.map((line) => JSON.parse(line)) };
};

describe('the log', () => {
  it('shows no value of a secret field, at any depth, in any case, in lists and in errors and their causes', () => {
    const { logger, text, lines } = openLog();
    const cause = Object.assign(new Error('cause'), { config: { auth: [{ Password: 'canary-1' }] } });
    const err = Object.assign(new Error('failed', { cause }), { response: { headers: { a: 'canary-2' } } });
    logger.warn({ err, a: { b: { c: [{ Authorization: 'canary-3' }, { d: { apiKey: 'canary-4' } }] } } }, 'text');
    logger.warn({ token: 'canary-5', user: 'ada' }, 'text');
    logger.warn({ a: { access_token: 'canary-7', 'x-svc-api-key': 'canary-8', newPassword: 'canary-9' } }, 'text');
    logger.warn({ failure: Object.assign(new Error('x'), { secret: 'canary-6' }) }, 'text');
    expect(text()).not.toContain('canary');
    expect(lines()).toMatchObject([
      {
        err: { type: 'Error', message: expect.stringContaining('failed'), response: { headers: '[redacted]' } },
        a: { b: { c: [{ Authorization: '[redacted]' }, { d: { apiKey: '[redacted]' } }] } },
      },
      { token: '[redacted]', user: 'ada' },
      { a: { access_token: '[redacted]', 'x-svc-api-key': '[redacted]', newPassword: '[redacted]' } },
      { failure: { message: 'x', secret: '[redacted]' } },
    ]);
  });

  it('is switched to debug and back by a signal', () => {
    const { logger, lines } = openLog('warn');
    changeLevelOnSignal(logger);
    logger.debug('before');
    process.emit('SIGUSR2');
    logger.debug('while it is on');
    process.emit('SIGUSR2');
    logger.debug('after');
    expect(lines()).toMatchObject([
      { level: 40, logLevel: 'debug' },
      { level: 20, msg: 'while it is on' },
      { level: 40, logLevel: 'warn' },
    ]);
  });

  it('bounds the size of a line', () => {
    const { logger, text } = openLog();
    let deep: object = { end: 'too-deep' };
    for (let level = 0; level < 1_000; level += 1) deep = { deep };
    const circle: { self?: unknown } = {};
    circle.self = circle;
    logger.info({ deep, circle, list: Array.from({ length: 10_000 }, () => 'x'), bytes: Buffer.alloc(1_000_000) }, 't');
    expect(text()).not.toContain('too-deep');
    expect(text()).toContain('[1000000 bytes]');
    expect(text()).toContain('[9900 more]');
    expect(text().length).toBeLessThan(5_000);
  });
});

describe('the log of a repeated failure', () => {
  const open = () => {
    let now = 0;
    const log = openLog();
    return {
      ...log,
      faults: createFaultLog(log.logger, 'polling failed', () => now),
      pass: (ms: number) => (now += ms),
    };
  };

  it('has one line at the start, one a minute with the number of failures, and one at the end', () => {
    const { faults, lines, pass } = open();
    for (let second = 0; second < 150; second += 1) {
      faults.failed({ err: new Error('away') });
      pass(1_000);
    }
    faults.worked();
    faults.worked();
    expect(lines()).toMatchObject([
      { level: 40, msg: 'polling failed', err: { message: 'away' } },
      { level: 40, msg: 'polling failed', failures: 60 },
      { level: 40, msg: 'polling failed', failures: 60 },
      { level: 30, msg: 'polling failed; it works again', failures: 150, ms: 150_000 },
    ]);
  });

  it('logs a later fault at once', () => {
    const { faults, lines } = open();
    for (let time = 0; time < 3; time += 1) {
      faults.failed({});
      faults.worked();
    }
    expect(lines()).toHaveLength(6);
  });

  it('has no lines without failures', () => {
    const { faults, lines } = open();
    faults.worked();
    expect(lines()).toEqual([]);
  });
});
