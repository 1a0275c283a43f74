import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeStaleOutputs } from './compiled-tree';

describe('the compiled files of a checkout', () => {
  let checkout: string;
  beforeEach(() => {
    checkout = mkdtempSync(join(tmpdir(), 'weft-compiled-'));
    write('package-lock.json', '{}');
    write('packages/a/src/kept.ts', '');
    for (const ending of ['js', 'js.map', 'd.ts', 'd.ts.map']) {
      write(`packages/a/dist/src/kept.${ending}`, '');
      write(`packages/a/dist/src/old.test.${ending}`, '');
    }
  });
  afterEach(() => rmSync(checkout, { recursive: true }));

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), text);
  };

  it('are removed with their source, so that a deleted test does not run again', () => {
    removeStaleOutputs(checkout);
    const isThere = (path: string): boolean => existsSync(join(checkout, 'packages/a/dist/src', path));
    expect(['kept.js', 'kept.d.ts.map', 'old.test.js', 'old.test.d.ts.map'].map(isThere)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
