import { makeKeyValue } from '../api-keys/key-format';
import { ownerSettingErrors } from './first-owner';

const GOOD = { email: 'owner@example.test', password: 'long enough password', apiKey: '' };

describe('ownerSettingErrors', () => {
  it('accepts no settings, email with password, and these with a key', () => {
    expect(ownerSettingErrors({ email: '', password: '', apiKey: '' })).toEqual([]);
    expect(ownerSettingErrors(GOOD)).toEqual([]);
    expect(ownerSettingErrors({ ...GOOD, apiKey: makeKeyValue() })).toEqual([]);
  });

  it.each([
    ['no email', { email: '' }, 'WEFT_OWNER_EMAIL'],
    ['a bad email', { email: 'owner' }, 'WEFT_OWNER_EMAIL'],
    ['no password', { password: '' }, 'WEFT_OWNER_PASSWORD'],
    ['a short password', { password: 'planted' }, 'WEFT_OWNER_PASSWORD'],
    ['a malformed key', { apiKey: 'planted' }, 'WEFT_OWNER_API_KEY'],
    ['a mistyped key', { apiKey: `weft_planted${'0'.repeat(61)}` }, 'WEFT_OWNER_API_KEY'],
  ])('refuses %s, naming the variable and not its value', (_, change, variable) => {
    const errors = ownerSettingErrors({ ...GOOD, ...change });
    expect(errors).toEqual([expect.stringContaining(variable)]);
    expect(errors.join()).not.toContain('planted');
  });
});
