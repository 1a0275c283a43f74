import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSecrets } from '../stack/secrets';
import { isPasswordShown, notePasswordShown } from './password-shown';

describe('the password of the owner', () => {
  let data = '';
  beforeEach(() => void (data = mkdtempSync(join(tmpdir(), 'password-shown-'))));
  afterEach(() => rmSync(data, { recursive: true }));

  it('is still to be shown after a start that failed once it had made the secrets', () => {
    loadSecrets(data, {});
    expect(isPasswordShown(data)).toBe(false);
  });

  it('is shown once', () => {
    notePasswordShown(data);
    expect(isPasswordShown(data)).toBe(true);
  });
});
