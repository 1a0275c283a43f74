import { oidcErrors, oidcFields, roleOfGroups } from './oidc-fields';

const { oidcGroupRoles } = oidcFields();

describe('roles by groups', () => {
  const roles = oidcGroupRoles.read('staff=viewer; cn=ops,dc=example,dc=test = admin ;builders=editor;');

  it('give the one with the most permissions, and none to persons in no group', () => {
    expect(roleOfGroups(roles, ['staff', 'builders', 'others'])).toBe('editor');
    expect(roleOfGroups(roles, ['cn=ops,dc=example,dc=test', 'staff'])).toBe('admin');
    expect(roleOfGroups(roles, ['Staff', ''])).toBeUndefined();
    expect(roleOfGroups([], ['staff'])).toBeUndefined();
  });

  it.each(['staff', '=viewer', 'staff=', 'staff=root'])('are refused: %j', (text) => {
    expect(() => oidcGroupRoles.read(text)).toThrow('is not group=role');
  });
});

describe('the settings of a provider', () => {
  const complete = {
    oidcIssuer: 'https://id.example.test/realms/one',
    oidcClientId: 'weft',
    oidcClientSecret: '',
    oidcScopes: 'openid email',
    oidcGroupsClaim: 'groups',
    oidcGroupRoles: [],
    oidcNewUsers: 'off',
  } as const;

  it('are complete or absent', () => {
    expect(oidcErrors(complete)).toEqual([]);
    expect(oidcErrors({ ...complete, oidcIssuer: '', oidcClientId: '' })).toEqual([]);
    expect(oidcErrors({ ...complete, oidcClientId: '', oidcScopes: 'email' })).toHaveLength(2);
  });

  it.each(['http://id.example.test', 'http://localhost.example.test', 'http://10.0.0.1'])(
    'refuse %s without TLS',
    (oidcIssuer) => {
      expect(oidcErrors({ ...complete, oidcIssuer })).toEqual([expect.stringContaining('https://')]);
    },
  );

  it.each(['http://localhost:5556', 'http://127.0.0.1:5556/dex', 'http://[::1]:5556'])('allow %s', (oidcIssuer) => {
    expect(oidcErrors({ ...complete, oidcIssuer })).toEqual([]);
  });
});
