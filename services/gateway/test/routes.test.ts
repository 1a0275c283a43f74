import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from '../src/handlers/routes';

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

describe('the route table', () => {
  it('has the 16 endpoints of the specification, the one for files, two for node types, four for variables and seven for data tables, each once', () => {
    const rows = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(rows).toHaveLength(30);
    expect(new Set(rows).size).toBe(30);
  });

  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route.handler.name] as const))('%s has a service test of its own', (_row, handler) => {
    expect(existsSync(join(__dirname, `${kebab(handler)}.test.js`))).toBe(true);
  });
});
