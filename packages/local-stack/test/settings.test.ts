import { checkSettings } from '../src/settings/check-settings';
import { misspelledSettings } from '../src/settings/misspelled-settings';

const messageOf = (environment: Record<string, string>): string => {
  try {
    checkSettings(environment);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe('the settings of npm start', () => {
  it('are accepted if there are none', () => {
    expect(messageOf({})).toBe('');
  });

  it('are checked together: one message lists the invalid ones of all processes, each once', () => {
    const message = messageOf({
      PORT: 'abc',
      RUNNER_PORT: '70000',
      LOG_LEVEL: 'loud',
      PUBLIC_URL: 'nope',
      QUEUE_LIMIT: 'many',
      RUNNER_SLOTS: '-1',
      RATE_LIMIT_PER_MINUTE: 'none',
      DEFAULT_TIMEZONE: 'Berlin',
    });
    const [head, ...lines] = message.split('\n');
    expect(head).toBe('8 settings are invalid:');
    expect(
      lines
        .slice(0, -1)
        .map((line) => /^ {2}- (\w+)/.exec(line)?.[1])
        .toSorted(),
    ).toEqual([
      'DEFAULT_TIMEZONE',
      'LOG_LEVEL',
      'PORT',
      'PUBLIC_URL',
      'QUEUE_LIMIT',
      'RATE_LIMIT_PER_MINUTE',
      'RUNNER_PORT',
      'RUNNER_SLOTS',
    ]);
  });

  it('never appear in a message if they are secrets', () => {
    const message = messageOf({ MONGODB_URI: 'http://user:hidden@host' });
    expect(message).toMatch(/MONGODB_URI: its value/);
    expect(message).not.toContain('hidden');
  });
});

describe('a variable that is not a setting', () => {
  it('is named with the setting that it resembles', () => {
    expect(misspelledSettings({ RATE_LIMIT_PER_MIN: '0' })).toEqual([
      'RATE_LIMIT_PER_MIN is not a setting and has no effect. Did you mean RATE_LIMIT_PER_MINUTE?',
    ]);
    expect(misspelledSettings({ WORKFLOW_PORT: '1', MONGODB_URL: 'x', LOGLEVEL: 'x' })).toEqual([
      expect.stringContaining('Did you mean WORKFLOWS_PORT?'),
      expect.stringContaining('Did you mean MONGODB_URI?'),
      expect.stringContaining('Did you mean LOG_LEVEL?'),
    ]);
    expect(misspelledSettings({ WEFT_FOLDER: 'x' })).toEqual([expect.stringContaining('WEFT_FOLDER is not a setting')]);
  });

  it('is ignored if it resembles none, or belongs to another program', () => {
    const others =
      'HOME PATH TERM SHELL LANG USER LOGNAME HOSTNAME OLDPWD NODE_OPTIONS DEBIAN_FRONTEND WEFT_URL LS_COLORS';
    expect(misspelledSettings(Object.fromEntries(others.split(' ').map((name) => [name, 'x'])))).toEqual([]);
    expect(misspelledSettings({ RATE_LIMIT_PER_MINUTE: '0', MASTER_KEY_FILE: '/x' })).toEqual([]);
  });

  it('costs little time, however many and long they are', () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`SOME_VARIABLE_OF_CI_${index}`.repeat(1 + (index % 50)), 'x']),
    );
    const began = performance.now();
    misspelledSettings(many);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
