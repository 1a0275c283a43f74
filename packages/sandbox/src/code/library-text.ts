import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

let alasql: string | undefined;

/** AlaSQL as a script for programs of nodes, half a megabyte: it sets `module.exports`. Read once. */
export function alasqlText(): string {
  alasql ??= readFileSync(join(dirname(require.resolve('alasql')), 'alasql.min.js'), 'utf8');
  return alasql;
}
