import { keptLog } from '../testing/loggers';
import { untilAvailable } from './until-available';

describe('a step of a start that needs a server', () => {
  const { lines, logger } = keptLog('warn');
  beforeEach(() => {
    lines.length = 0;
    jest.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => jest.restoreAllMocks());

  const failing = (errors: readonly Error[]) => {
    const left = [...errors];
    return () => {
      const error = left.shift();
      return error === undefined ? Promise.resolve('there') : Promise.reject(error);
    };
  };

  it('is repeated until the server is available, and logs each reason and the number of failures', async () => {
    const attempt = failing([new Error('refused'), new Error('refused'), new Error('no primary')]);
    expect(await untilAvailable({ server: 'A server', attempt, isAway: () => true, logger })).toBe('there');
    expect(lines.map(({ msg, failures }) => [msg, failures])).toEqual([
      ['A server cannot be used yet; trying again', 1],
      ['A server cannot be used yet; trying again', 3],
      ['A server is available', 3],
    ]);
  });

  it('ends with an error that waiting cannot fix', async () => {
    const attempt = failing([new Error('wrong index')]);
    await expect(untilAvailable({ server: 'A server', attempt, isAway: () => false, logger })).rejects.toThrow(
      'wrong index',
    );
    expect(lines).toEqual([]);
  });
});
