import { roleOf, type Role } from '@weft/service-kit/auth';
import { oneOf, text, url, type ConfigField, type ConfigValues } from '@weft/service-kit/config';

/** In order of decreasing permissions. */
const BY_RIGHTS: readonly Role[] = ['owner', 'admin', 'editor', 'viewer'];

/** A group of the provider, and its role. */
export interface GroupRole {
  readonly group: string;
  readonly role: Role;
}

const readGroupRole = (pair: string): GroupRole => {
  // Group names may contain commas and =, as those of directories do.
  const at = pair.lastIndexOf('=');
  const role = roleOf(pair.slice(at + 1).trim());
  const group = pair.slice(0, Math.max(0, at)).trim();
  if (group === '' || role === undefined)
    throw new Error(`is not group=role, with one of the roles ${BY_RIGHTS.join(', ')}`);
  return { group, role };
};

const readGroupRoles = (value: string): readonly GroupRole[] =>
  value
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map(readGroupRole);

/** The role with the most permissions among a person's groups; undefined if none gives one. */
export const roleOfGroups = (roles: readonly GroupRole[], groups: readonly string[]): Role | undefined => {
  const given = new Set(roles.filter(({ group }) => groups.includes(group)).map(({ role }) => role));
  return BY_RIGHTS.find((role) => given.has(role));
};

const groupRoles: ConfigField<readonly GroupRole[]> = {
  env: 'OIDC_GROUP_ROLES',
  type: 'group=role, separated by semicolons',
  default: [],
  secret: false,
  doc:
    'Roles by groups of the identity provider: a person gets the most permissive of these roles at every sign-in. ' +
    'Empty: roles are managed in Weft.',
  read: readGroupRoles,
};

/** Rows of the sign-in with an OpenID Connect provider. */
export const oidcFields = () => ({
  oidcIssuer: url({
    env: 'OIDC_ISSUER',
    schemes: ['https', 'http'],
    default: '',
    doc:
      'Issuer of the OpenID Connect provider for signing in, in addition to passwords; http only on this machine. ' +
      'Empty: only passwords.',
  }),
  oidcClientId: text({ env: 'OIDC_CLIENT_ID', default: '', doc: 'Client id of this instance at the provider.' }),
  oidcClientSecret: text({
    env: 'OIDC_CLIENT_SECRET',
    default: '',
    secret: true,
    live: true,
    doc: 'Client secret of this instance at the provider; empty for a public client.',
  }),
  oidcScopes: text({
    env: 'OIDC_SCOPES',
    default: 'openid profile email',
    doc: 'Scopes to request, separated by spaces.',
  }),
  oidcGroupsClaim: text({
    env: 'OIDC_GROUPS_CLAIM',
    default: 'groups',
    doc: 'Claim of the ID token, or else of the user information, that lists the groups of a person.',
  }),
  oidcGroupRoles: groupRoles,
  oidcNewUsers: oneOf({
    env: 'OIDC_NEW_USERS',
    words: ['off', 'viewer', 'editor', 'admin'],
    default: 'off',
    doc:
      'Role of people whose groups give them no role; new people become users. off: signing in creates no users, and ' +
      'with OIDC_GROUP_ROLES, people without a role are refused.',
  }),
});

export type OidcSettings = ConfigValues<ReturnType<typeof oidcFields>>;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Errors in the combination of values. */
export const oidcErrors = ({ oidcIssuer, oidcClientId, oidcScopes }: OidcSettings): readonly string[] => {
  if (oidcIssuer === '') return [];
  const issuer = URL.parse(oidcIssuer);
  return [
    ...(issuer === null ? ['OIDC_ISSUER is not a URL.'] : []),
    ...(issuer?.protocol === 'http:' && !LOOPBACK.test(issuer.hostname)
      ? ['OIDC_ISSUER must begin with https://: tokens would travel in clear.']
      : []),
    ...(oidcClientId === '' ? ['OIDC_CLIENT_ID is not set, and OIDC_ISSUER is.'] : []),
    ...(oidcScopes.split(' ').includes('openid') ? [] : ['OIDC_SCOPES must have the scope openid.']),
  ];
};
