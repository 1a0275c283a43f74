/*
 * Bundles the command line to one file that only needs Node:
 *   node packages/cli/bin/bundle.mjs [FILE]
 */
import { build } from 'esbuild';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const [outfile = join(import.meta.dirname, '../dist/weft.mjs')] = process.argv.slice(2);

await build({
  entryPoints: [join(import.meta.dirname, '../src/main.ts')],
  outfile,
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: 'node22.12',
  // From source: the compiled packages are CommonJS.
  alias: {
    '@weft/app-model/check': join(ROOT, 'packages/app-model/src/check.ts'),
    '@weft/app-model/draft': join(ROOT, 'packages/app-model/src/draft/draft.ts'),
    '@weft/apply': join(ROOT, 'packages/apply/src/index.ts'),
    '@weft/client': join(ROOT, 'packages/client/src/index.ts'),
  },
  mainFields: ['module', 'main'],
  banner: {
    js: [
      '#!/usr/bin/env node',
      "import{createRequire as weftRequire}from'node:module';",
      'const require=weftRequire(import.meta.url);',
    ].join('\n'),
  },
  legalComments: 'none',
  logLevel: 'warning',
});
