import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from '../session/exit-code';
import { collectFiles } from './collect-files';
import { inParallel } from './in-parallel';

describe('the files of a folder', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-files-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text = '{"nodes":[]}'): void => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const failureOf = (path = folder): CommandError => {
    try {
      collectFiles([path]);
    } catch (error) {
      if (error instanceof CommandError) return error;
    }
    throw new Error('It was accepted.');
  };

  it('are read by name, with their path below the folder as key', () => {
    for (const name of ['b.yml', 'a/One.json', 'notes.md', '.git/c.json', 'node_modules/d/package.json']) write(name);
    symlinkSync(join(folder, 'b.yml'), join(folder, 'linked.yml'));
    expect(collectFiles([folder]).documents.map(({ key }) => key)).toEqual(['a/one', 'b', 'linked']);
    expect(collectFiles([join(folder, 'a/One.json')]).documents.map(({ key }) => key)).toEqual(['one']);
  });

  it('may be apps, which are told apart by their field `weftApp`', () => {
    write('a.json');
    write('apps/erp.yaml', 'weftApp: 1\nname: erp\n');
    expect(collectFiles([folder])).toMatchObject({
      documents: [{ key: 'a' }],
      apps: [{ file: expect.stringContaining('apps/erp.yaml'), text: expect.stringContaining('name: erp') }],
    });
    write('two.yaml', 'weftApp: 1\n---\nname: w\nnodes: []\n');
    expect(failureOf().message).toContain('two.yaml: has an app and other documents');
  });

  it('must exist, be smaller than 10 MB, and not lead back to a folder above', () => {
    expect(failureOf()).toMatchObject({ exitCode: 2, message: expect.stringContaining('there is no .json') });
    expect(failureOf(join(folder, 'none')).message).toContain('cannot be read');
    mkdirSync(join(folder, 'sub'));
    symlinkSync(folder, join(folder, 'sub/up'));
    expect(failureOf().message).toContain('is a link to a folder above it');
    rmSync(join(folder, 'sub'), { recursive: true });
    write('large.json');
    truncateSync(join(folder, 'large.json'), 10_000_001);
    expect(failureOf().message).toContain('has more than 10 MB');
  });

  it('are all named with their errors', () => {
    write('a.json', '{');
    write('b.json', '[]');
    write('c.json');
    write('C.yaml');
    expect(failureOf().message.split('\n').slice(1)).toEqual([
      expect.stringContaining('a.json:1:2: is not valid JSON'),
      expect.stringContaining('b.json: is not a workflow'),
      expect.stringMatching(/c\.json: has the key "c" of .*C\.yaml/),
    ]);
  });
});

describe('tasks in parallel', () => {
  it('never exceed their limit, and have results in order', async () => {
    let now = 0;
    let most = 0;
    const results = await inParallel([5, 1, 3, 2, 4], 2, async (ms) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, ms));
      now -= 1;
      return ms * 2;
    });
    expect([results, most]).toEqual([[10, 2, 6, 4, 8], 2]);
  });

  it('reject with the first failure', async () => {
    await expect(inParallel([1, 2], 2, (one) => Promise.reject(new Error(String(one))))).rejects.toThrow('1');
  });
});
