import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from '../src/handlers/routes';

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

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

  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route.handler.name] as const))(
    '%s has a service test of its own',
    (_row, handler) => {
      expect(existsSync(join(__dirname, `${kebab(handler)}.test.js`))).toBe(true);
    },
  );
});
