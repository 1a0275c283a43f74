import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as exported from './index.js';

describe('the services of the package', () => {
  it('are those that docs/grpc.md lists for users, and health', () => {
    const page = readFileSync(join(__dirname, '../../../../docs/grpc.md'), 'utf8');
    const rows = page.split('\n').filter((line) => /^\| (workflows|executions|credentials) \|/.test(line));
    const listed = rows.flatMap((row) => [...row.matchAll(/`(\w+Service)`/g)].map(([, name = '']) => name));
    const services = Object.keys(exported).filter((name) => name.endsWith('Service'));
    expect(services.sort()).toEqual([...new Set([...listed, 'HealthService'])].sort());
  });
});
