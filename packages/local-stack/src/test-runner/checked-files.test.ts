import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCheckedFiles } from './checked-files';

describe('the record of checked files', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'weft-checked-'));
    for (const name of ['a.ts', 'b.ts']) writeFileSync(join(root, name), 'same');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const open = (fingerprint = 'rules') => openCheckedFiles(join(root, 'cache/tool'), root, () => fingerprint);

  it('leaves out recorded files until their content changes', () => {
    expect(open().pending(['a.ts', 'b.ts'])).toEqual(['a.ts', 'b.ts']);
    open().record(['a.ts']);
    expect(open().pending(['a.ts', 'b.ts'])).toEqual(['b.ts']);
    writeFileSync(join(root, 'a.ts'), 'changed');
    expect(open().pending(['a.ts', 'b.ts'])).toEqual(['a.ts', 'b.ts']);
    writeFileSync(join(root, 'a.ts'), 'same');
    expect(open().pending(['a.ts'])).toEqual([]);
  });

  it('holds for one fingerprint only', () => {
    open().record(['a.ts']);
    expect(open('other rules').pending(['a.ts'])).toEqual(['a.ts']);
    expect(open().pending(['a.ts'])).toEqual([]);
  });
});
