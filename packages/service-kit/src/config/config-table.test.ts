import { ConfigErrors, defineConfig, pickVariables } from './config-table';
import { flag, integer, list, oneOf, port, text, timeZone, url } from './fields';

const table = defineConfig({
  port: port({ env: 'PORT', default: 80, doc: 'Port.' }),
  limit: integer({ env: 'LIMIT', min: 1, max: 9, doc: 'Limit.' }),
  secret: text({ env: 'SECRET', secret: true, doc: 'Secret.' }),
  store: url({ env: 'STORE', schemes: ['mongodb'], default: 'mongodb://a', doc: 'Store.' }),
  hosts: list({ env: 'HOSTS', default: [], doc: 'Hosts.' }),
  level: oneOf({ env: 'LEVEL', words: ['low', 'high'], default: 'low', doc: 'Level.' }),
  on: flag({ env: 'ON', default: false, doc: 'On.' }),
});

describe('a configuration table', () => {
  it('reads every type, and takes the default where a variable is unset or empty', () => {
    expect(table.load({ LIMIT: '3', SECRET: 's', HOSTS: 'a, b,', LEVEL: 'high', ON: 'on', PORT: '' })).toEqual({
      port: 80,
      limit: 3,
      secret: 's',
      store: 'mongodb://a',
      hosts: ['a', 'b'],
      level: 'high',
      on: true,
    });
  });

  it('reports all errors at once, with the fix', () => {
    const errorsOf = (environment: Record<string, string>): readonly string[] => {
      try {
        table.load(environment);
      } catch (error) {
        if (error instanceof ConfigErrors) return error.errors;
      }
      return [];
    };
    const errors = errorsOf({ PORT: '70000', LIMIT: '1.5', STORE: 'http://x', LEVEL: 'mid', ON: 'perhaps' });
    expect(errors).toHaveLength(6);
    expect(errors.join('\n')).toMatch(/PORT: "70000" is not an integer from 0 to 65535/);
    expect(errors.join('\n')).toMatch(/SECRET is not set. Secret\./);
  });

  it('never shows the value of a secret', () => {
    const secretive = defineConfig({ key: url({ env: 'KEY', schemes: ['mongodb'], secret: true, doc: 'Key.' }) });
    expect(() => secretive.load({ KEY: 'hunter2' })).toThrow(/KEY: its value does not start/);
    expect(() => secretive.load({ KEY: 'hunter2' })).not.toThrow(/hunter2/);
  });
});

describe('a time zone', () => {
  const zone = defineConfig({ zone: timeZone({ env: 'ZONE', default: 'UTC', doc: 'Zone.' }) });

  it('is an IANA name', () => {
    expect(zone.load({ ZONE: 'America/New_York' })).toEqual({ zone: 'America/New_York' });
    expect(() => zone.load({ ZONE: 'Mars/Olympus' })).toThrow(/ZONE: "Mars\/Olympus" is not a time zone/);
  });
});

describe('variables that others may see', () => {
  it('include only listed variables that are set', () => {
    expect(pickVariables(['A', 'C'], { A: '1', B: '2' })).toEqual({ A: '1' });
  });
});
