import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtOnce, isBuilt } from './built-once';
import type { Recipe } from './built-once';

describe('builtOnce', () => {
  let cache: string;
  let builds: string[];
  beforeEach(() => {
    cache = mkdtempSync(join(tmpdir(), 'weft-cache-'));
    builds = [];
  });
  afterEach(() => rmSync(cache, { recursive: true }));

  const silent = (): void => undefined;
  const recipe = (version: string): Recipe => ({
    name: 'thing',
    inputs: { version },
    build: (folder) => {
      builds.push(version);
      writeFileSync(join(folder, 'version'), version);
      return Promise.resolve();
    },
  });

  it('builds at the first need only', async () => {
    const folder = await builtOnce(cache, recipe('1'), silent);
    expect(readFileSync(join(folder, 'version'), 'utf8')).toBe('1');
    expect(await builtOnce(cache, recipe('1'), silent)).toBe(folder);
    expect(builds).toEqual(['1']);
  });

  it('rebuilds a changed version and retains the former one', async () => {
    const first = await builtOnce(cache, recipe('1'), silent);
    expect(await builtOnce(cache, recipe('2'), silent)).not.toBe(first);
    expect(existsSync(first)).toBe(true);
    expect(builds).toEqual(['1', '2']);
  });

  it('builds once for two that need it at the same time', async () => {
    const [one, other] = await Promise.all([
      builtOnce(cache, recipe('1'), silent),
      builtOnce(cache, recipe('1'), silent),
    ]);
    expect(one).toBe(other);
    expect(builds).toEqual(['1']);
  });

  it('does not take a build that failed for a finished one', async () => {
    const failing: Recipe = {
      ...recipe('1'),
      build: (folder) => Promise.reject(new Error(`no luck after ${readdirSync(folder).length} files`)),
    };
    await expect(builtOnce(cache, failing, silent)).rejects.toThrow('thing could not be set up: no luck after 0 files');
    expect(isBuilt(cache, failing)).toBe(false);
    expect(readdirSync(cache)).toEqual(['locks']);
    await builtOnce(cache, recipe('1'), silent);
    expect(isBuilt(cache, recipe('1'))).toBe(true);
  });

  it('removes the remains of a killed build and begins again', async () => {
    const folder = await builtOnce(cache, recipe('1'), silent);
    const left = join(cache, `.building-${folder.slice(cache.length + 1)}-1`);
    rmSync(folder, { recursive: true });
    mkdirSync(left);
    writeFileSync(join(left, 'half'), '');
    expect(readdirSync(await builtOnce(cache, recipe('1'), silent))).toEqual(['version']);
    expect(existsSync(left)).toBe(false);
  });
});
