/* Marks the ES modules as such: the package itself is CommonJS. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

writeFileSync(join(import.meta.dirname, '../dist/esm/package.json'), '{ "type": "module" }\n');
