/*
 * Marks the ES modules of a package as such: the package itself is CommonJS.
 *   node packages/client/bin/mark-esm.mjs [FOLDER OF THE PACKAGE]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [name = 'packages/client'] = process.argv.slice(2);
writeFileSync(join(import.meta.dirname, '../../..', name, 'dist/esm/package.json'), '{ "type": "module" }\n');
