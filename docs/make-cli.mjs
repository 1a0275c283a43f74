// Prints docs/cli.md with the commands of the program: npm run docs:cli
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { referenceOf } = createRequire(import.meta.url)('../packages/cli/dist/src/reference.js');

process.stdout.write(referenceOf(readFileSync(new URL('cli.md', import.meta.url), 'utf8')));
