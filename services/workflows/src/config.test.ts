import { makeTestKeys } from '@weft/service-kit/testing';
import { config } from './config';

const keys = makeTestKeys(['workflows']);
const complete = {
  SERVICE_KEY: keys.privateKeyOf('workflows'),
  SERVICE_PUBLIC_KEYS: keys.publicKeys,
  MONGODB_URI: 'mongodb://localhost',
  EXECUTIONS_TARGET: 'dns:///executions:7002',
  CREDENTIALS_TARGET: 'dns:///credentials:7003',
};

describe('the configuration', () => {
  it('has defaults for optional variables', () => {
    expect(config.load(complete)).toMatchObject({
      port: 7001,
      mongodbDatabase: 'weft_workflows',
      defaultTimezone: 'UTC',
      schedulePollMs: 1_000,
    });
  });

  it('accepts only zones that exist', () => {
    expect(config.load({ ...complete, DEFAULT_TIMEZONE: 'Europe/Berlin' }).defaultTimezone).toBe('Europe/Berlin');
    expect(() => config.load({ ...complete, DEFAULT_TIMEZONE: 'Mars/Olympus' })).toThrow('DEFAULT_TIMEZONE');
  });
});
