import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { visibleDeclarations } from './visible-declarations';

describe('the declarations that a file sees', () => {
  let checkout: string;
  beforeEach(() => {
    checkout = mkdtempSync(join(tmpdir(), 'weft-declarations-'));
    write('packages/a/src/user.ts', "import { near } from './near';\nimport { entry } from '@weft/b/entry';\n");
    write('packages/a/dist/src/near.d.ts', "import type { Far } from './far';\nexport declare const near: Far;\n");
    write('packages/a/dist/src/far.d.ts', 'export type Far = string;\n');
    write('packages/a/dist/src/other.d.ts', 'export type Other = string;\n');
    write('node_modules/@weft/b/package.json', '{ "exports": { "./*": "./dist/*.js" } }');
    write('node_modules/@weft/b/dist/entry.js', '');
    write('node_modules/@weft/b/dist/entry.d.ts', 'export declare const entry: string;\n');
  });
  afterEach(() => rmSync(checkout, { recursive: true }));

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), text);
  };
  const seen = (): string => visibleDeclarations(checkout)('packages/a/src/user.ts');

  it.each([
    ['that it imports', 'packages/a/dist/src/near.d.ts'],
    ['that those import', 'packages/a/dist/src/far.d.ts'],
    ['of another package', 'node_modules/@weft/b/dist/entry.d.ts'],
  ])('are those %s', (_, path) => {
    const before = seen();
    write(path, 'export declare const changed: Promise<void>;\n');
    expect(seen()).not.toBe(before);
  });

  it('are no others', () => {
    const before = seen();
    write('packages/a/dist/src/other.d.ts', 'export type Other = number;\n');
    write('packages/a/src/user.ts', "import { near } from './near';\nimport { entry } from '@weft/b/entry';\nnear;\n");
    expect(seen()).toBe(before);
  });
});
