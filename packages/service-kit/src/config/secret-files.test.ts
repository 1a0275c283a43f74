import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigErrors, defineConfig, withValues, type Rereading } from './config-table';
import { flag, integer, text } from './fields';

describe('secret files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-config-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const put = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const reader = defineConfig(
    {
      key: text({ env: 'KEY', secret: true, live: true, doc: 'Key.' }),
      other: text({ env: 'OTHER', secret: true, live: true, default: '', doc: 'Other.' }),
      once: text({ env: 'ONCE', secret: true, default: '', doc: 'Read once.' }),
      names: text({ env: 'NAMES', fromFile: true, default: '', doc: 'No secret.' }),
      plain: flag({ env: 'PLAIN', default: false, doc: 'Plain.' }),
    },
    ({ key, other }) => (key === other ? ['KEY and OTHER are the same.'] : []),
  );
  const errorsOf = (environment: Record<string, string>): string => {
    try {
      reader.load(environment);
      return '';
    } catch (error) {
      return error instanceof ConfigErrors ? error.errors.join('\n') : 'thrown';
    }
  };
  const reread = (
    environment: Record<string, string>,
  ): { values: ReturnType<typeof reader.load>; changes: string[][]; failures: string[] } => {
    const changes: string[][] = [];
    const failures: string[] = [];
    const rereading: Rereading = {
      everyMs: 0,
      onChanged: (variables) => changes.push([...variables]),
      onFailed: ({ message }) => failures.push(message),
    };
    return { values: reader.load(environment, rereading), changes, failures };
  };

  it('are read without a trailing line end, and replace the variable', () => {
    const environment = { KEY_FILE: put('key', 'a secret \r\n\n'), NAMES_FILE: put('names', 'a,b') };
    expect(reader.load(environment)).toMatchObject({ key: 'a secret ', names: 'a,b', other: '' });
  });

  it('may be absent if the variable is optional', () => {
    expect(reader.load({ KEY: 'k', OTHER_FILE: join(folder, 'none') })).toMatchObject({ other: '' });
    expect(errorsOf({ KEY_FILE: join(folder, 'none') })).toMatch(/^KEY_FILE: there is nothing in "[^"]*none"\. Key\.$/);
  });

  it('are refused with the fix, and without showing their content', () => {
    expect(errorsOf({ KEY: 'k', KEY_FILE: put('key', 'hunter2') })).toBe(
      'KEY and KEY_FILE are both set. Set one of them.',
    );
    expect(errorsOf({ KEY_FILE: folder })).toMatch(/^KEY_FILE: ".*" cannot be read \(EISDIR\)\.$/);
    expect(errorsOf({ KEY_FILE: put('large', 'x'.repeat(65_537)) })).toMatch(/has more than 65536 bytes/);
    const strict = defineConfig({ n: integer({ env: 'N', min: 0, max: 9, secret: true, doc: 'Number.' }) });
    expect(() => strict.load({ N_FILE: put('n', 'hunter2') })).toThrow(/N: its value is not an integer/);
    expect(() => strict.load({ N_FILE: put('n', 'hunter2') })).not.toThrow(/hunter2/);
  });

  it('are supported only for secrets and what belongs to them', () => {
    expect(reader.load({ KEY: 'k', PLAIN_FILE: put('plain', 'on') })).toMatchObject({ plain: false });
  });

  it('are current for live values, and as of the start for others', () => {
    const environment = { KEY_FILE: put('key', 'one'), ONCE_FILE: put('once', 'one') };
    const { values, changes } = reread(environment);
    put('key', 'two');
    put('once', 'two');
    expect([values.key, values.once]).toEqual(['two', 'one']);
    expect(withValues(values, { plain: true })).toMatchObject({ plain: true });
    put('key', 'three');
    expect(withValues(values, { plain: true }).key).toBe('three');
    expect(changes).toEqual([['KEY'], ['KEY']]);
  });

  it('change together, as Kubernetes replaces the folder of a secret', () => {
    const write = (version: string, key: string, other: string): void => {
      mkdirSync(join(folder, version));
      put(`${version}/key`, key);
      put(`${version}/other`, other);
      symlinkSync(version, join(folder, `${version}.link`));
      renameSync(join(folder, `${version}.link`), join(folder, 'data'));
    };
    write('v1', 'a', 'b');
    const { values } = reread({ KEY_FILE: join(folder, 'data/key'), OTHER_FILE: join(folder, 'data/other') });
    write('v2', 'b', 'a');
    expect([values.key, values.other]).toEqual(['b', 'a']);
  });

  it('keep their previous values if the new content is invalid, which is reported once', () => {
    const environment = { KEY_FILE: put('key', 'a'), OTHER_FILE: put('other', 'b') };
    const { values, failures, changes } = reread(environment);
    put('key', 'b');
    expect([values.key, values.other, values.key]).toEqual(['a', 'b', 'a']);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(/KEY and OTHER are the same/);
    rmSync(join(folder, 'key'));
    expect(values.key).toBe('a');
    put('key', 'c');
    expect(values.key).toBe('c');
    expect([failures.length, changes]).toEqual([2, [['KEY']]]);
  });

  it('are not read on every use', () => {
    const values = reader.load({ KEY_FILE: put('key', 'one') });
    put('key', 'two');
    expect(values.key).toBe('one');
  });
});
