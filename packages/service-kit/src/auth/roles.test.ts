import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPermitted, mayChange, ROLE_PERMISSIONS, type Principal } from './roles';

const editor: Principal = { userId: 'u', role: 'editor' };

describe('mayChange', () => {
  it('lets editors change what they own and what belongs to their projects, and nothing else', () => {
    const member: Principal = { ...editor, projects: ['p1', 'p2'] };
    expect(['u', 'p1', 'p2', 'p3', 'v', ''].map((ownerId) => mayChange(member, ownerId))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(mayChange(editor, 'p1')).toBe(false);
  });

  it('lets owners and admins change everything', () => {
    for (const role of ['owner', 'admin'] as const) expect(mayChange({ userId: 'u', role }, 'p1')).toBe(true);
  });
});

describe('the table in docs/guides/roles.md', () => {
  const page = readFileSync(join(__dirname, '../../../../../docs/guides/roles.md'), 'utf8');
  const roles = ['owner', 'admin', 'editor', 'viewer'] as const;
  /** A permission and whether the table grants it to each role. */
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .flatMap(([, may = '', ...cells]) =>
      [...may.matchAll(/`([a-z]+:[a-z]+)`/g)].map(([, permission]) => [
        permission,
        cells.slice(0, roles.length).map((cell) => cell !== 'no'),
      ]),
    );

  it('lists every permission with the roles that have it', () => {
    const permissions = ROLE_PERMISSIONS.owner;
    const expected = permissions.map((permission) => [permission, roles.map((role) => isPermitted(role, permission))]);
    expect(new Map(rows.map(([permission, granted]) => [permission, granted]))).toEqual(
      new Map(expected.map(([permission, granted]) => [permission, granted])),
    );
  });
});
