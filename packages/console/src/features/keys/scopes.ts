/** Scopes that a key may be limited to, in words. A key never has more than its user. */
export const SCOPES: Readonly<Record<string, string>> = {
  'workflows:read': 'Read workflows',
  'workflows:write': 'Change and start workflows',
  'executions:read': 'Read executions',
  'executions:write': 'Retry, cancel and delete executions',
  'credentials:read': 'List credentials',
  'credentials:write': 'Change credentials',
  'audit:read': 'Read the audit log',
};

/** How a new key is limited. */
export type Access = 'all' | 'read' | 'chosen';

/** Scopes of a new key; undefined: everything that its user may. */
export const scopesOf = (
  access: Access,
  chosen: ReadonlySet<string>,
  permissions: readonly string[],
): string[] | undefined => {
  if (access === 'all') return undefined;
  return Object.keys(SCOPES).filter(
    (scope) => permissions.includes(scope) && (access === 'read' ? scope.endsWith(':read') : chosen.has(scope)),
  );
};
