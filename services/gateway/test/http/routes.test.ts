import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from '../../src/handlers/routes';

const TESTS = join(__dirname, '..');

/** The other compiled service tests of the gateway. */
const SERVICE_TESTS = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.js') && !name.endsWith('routes.test.js'))
  .map((name) => readFileSync(join(TESTS, name), 'utf8'));

const SPECIFIED = [
  'GET /workflows',
  'GET /workflows/:id',
  'POST /workflows',
  'PUT /workflows/:id',
  'DELETE /workflows/:id',
  'POST /workflows/:id/activate',
  'POST /workflows/:id/deactivate',
  'GET /executions',
  'GET /executions/:id',
  'DELETE /executions/:id',
  'POST /workflows/:id/execute',
  'GET /credentials',
  'GET /credentials/:id',
  'POST /credentials',
  'PUT /credentials/:id',
  'DELETE /credentials/:id',
];

describe('the route table', () => {
  it('has the 16 endpoints of the specification, and each row once', () => {
    const rows = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(rows).toEqual(expect.arrayContaining(SPECIFIED));
    expect(new Set(rows).size).toBe(rows.length);
  });

  it.each(ROUTES.map(({ method, path }) => `${method} /api/v1${path}`))('%s has service tests', (row) => {
    expect(SERVICE_TESTS.filter((text) => text.includes(`describe('${row}', `))).toHaveLength(1);
  });

  it('has handlers with distinct names for stack traces', () => {
    const names = ROUTES.map(({ handler }) => handler.name);
    expect(names).not.toContain('');
    expect(new Set(names).size).toBe(names.length);
  });
});
