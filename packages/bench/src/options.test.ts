import { readOptions } from './options';
import { LOAD_NAMES } from './plan';

describe('the options of npm run bench', () => {
  const read = (...args: string[]) => readOptions(args, LOAD_NAMES);

  it('by default warm up for 20 s and measure three rounds of 5 s', () => {
    expect(read()).toEqual({
      rounds: 3,
      seconds: 5,
      warmUpSeconds: 20,
      scale: false,
      observed: false,
      secured: false,
      json: false,
      help: false,
    });
  });

  it('are read', () => {
    expect(read('--only', 'burst, http,burst', '--rounds=7', '--seconds', '0.5', '--warm-up', '0', '--json')).toEqual({
      only: ['burst', 'http'],
      rounds: 7,
      seconds: 0.5,
      warmUpSeconds: 0,
      scale: false,
      observed: false,
      secured: false,
      json: true,
      help: false,
    });
    expect(read('--with', '../other').other).toBe('../other');
    expect(read('--n8n', '../installed').n8n).toBe('../installed');
  });

  it.each([
    [['--bogus'], "Unknown option '--bogus'.\nOptions:\n  --only LOAD,LOAD  measures only these of: ceilings, burst"],
    [['burst'], "Unexpected argument 'burst'.\nOptions:"],
    [['--rounds'], "Option '--rounds <value>' argument missing.\nOptions:"],
    [['--json=yes'], "Option '--json' does not take an argument.\nOptions:"],
    [['--only', 'bursts,http'], '--only names "bursts"; the loads are: ceilings, burst, '],
    [['--only', ''], '--only names ""; the loads are: '],
    [['--rounds', '1.5'], '--rounds is "1.5"; it must be an integer from 1 to 1000.'],
    [['--rounds', '0'], '--rounds is "0"; it must be an integer from 1 to 1000.'],
    [['--seconds', '0'], '--seconds is "0"; it must be a number of seconds above 0 and at most 3600.'],
    [['--seconds', 'long'], '--seconds is "long"; it must be a number of seconds above 0'],
    [['--warm-up=-1'], '--warm-up is "-1"; it must be a number of seconds from 0 and at most 3600.'],
    [['--with', ''], '--with is empty; it must be the folder of another checkout of Weft.'],
    [['--n8n='], '--n8n is empty; it must be the folder in which n8n is installed.'],
    [
      ['--n8n', '/x', '--with', '/y'],
      '--scale, --observed, --secured, --with and --n8n exclude each other: give one of',
    ],
    [
      ['--with', '/x', '--scale'],
      '--scale, --observed, --secured, --with and --n8n exclude each other: give one of them.',
    ],
    [
      ['--secured', '--observed'],
      '--scale, --observed, --secured, --with and --n8n exclude each other: give one of them.',
    ],
    [
      ['--observed', '--scale'],
      '--scale, --observed, --secured, --with and --n8n exclude each other: give one of them.',
    ],
  ])('that are wrong are refused with what is allowed: %j', (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });
});
