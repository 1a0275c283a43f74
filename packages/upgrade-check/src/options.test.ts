import { readOptions } from './options';

describe('options of the upgrade check', () => {
  it('are the last release and ten starts a second', () => {
    expect(readOptions([])).toEqual({ from: undefined, perSecond: 10 });
  });

  it('name a release and a rate', () => {
    expect(readOptions(['--from', '0.1.0', '--per-second', '25'])).toEqual({ from: '0.1.0', perSecond: 25 });
  });

  it.each([
    [['--per-second', '0'], '--per-second must be an integer from 1 to 200.'],
    [['--per-second', 'many'], '--per-second must be an integer from 1 to 200.'],
    [['--to', '0.3.0'], "Unknown option '--to'"],
  ])('%j are refused with the usage', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
    expect(() => readOptions(args)).toThrow('Usage: npm run check:upgrade');
  });
});
