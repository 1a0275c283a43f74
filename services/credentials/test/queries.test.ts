import { auditQuery } from '@weft/service-kit/audit';
import { connectDatabase, type Database, migrate } from '@weft/service-kit/mongo';
import { dropDatabase, testMongodbUri, uniqueName } from '@weft/service-kit/testing';
import { SCHEMA } from '../src/store/indexes';
import { queries } from '../src/store/queries';

const DOCUMENTS = 5_000;

const idOf = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;

const DOCUMENT_OF: Readonly<Record<string, (number: number) => Record<string, unknown>>> = {
  credentials: (number) => ({
    name: `c${number}`,
    type: 'typeA',
    ownerId: idOf(number % 50),
    sealed: { kid: number % 20 === 0 ? 'old' : 'fresh' },
    // Enough to make a scan along `_id` look cheap: every planner takes the wrong index without a hint.
    grants: Array.from({ length: 10 }, (_, index) => ({ projectId: idOf((number + index * 7) % 100) })),
    revision: 1,
    ...(number % 100 === 0
      ? { oauth2: { login: 'needsLogin', message: '', lostAt: new Date(number), refreshes: 1 } }
      : {}),
  }),
  users: (number) => ({
    email: `u${number}@example.test`,
    role: number === 0 ? 'owner' : 'editor',
    ...(number % 2 === 0 ? { memberships: [{ projectId: idOf(number % 100), role: 'editor' }] } : {}),
  }),
  projects: (number) => ({ name: `p${number}`, createdBy: idOf(0), createdAt: new Date(number) }),
  apiKeys: (number) => ({
    userId: idOf(number % 100),
    hash: `h${number}`,
    kid: number % 20 === 0 ? 'old' : 'fresh',
    name: 'n',
    ...(number === 0 ? { source: 'environment' } : { slot: Math.floor(number / 100) }),
  }),
  invitations: (number) => ({
    email: `u${number}@example.test`,
    tokenHash: `h${number}`,
    expireAt: new Date(number % 20 === 0 ? '2100-01-01' : '2099-01-01'),
  }),
  identities: (number) => ({ userId: idOf(number), issuer: 'https://id.example.test', subject: `s${number}` }),
  audit: (number) => ({
    order: `${new Date(number * 1_000).toISOString()} ${idOf(number)}`,
    actor: idOf(number % 100),
    action: `a${number % 100}`,
    targets: [idOf(number % 200)],
    expireAt: new Date('2100-01-01'),
  }),
  sessions: (number) => ({ userId: idOf(number % 100), createdAt: new Date(number), expireAt: new Date('2100-01-01') }),
};

/** The given keys that a plan names, in MongoDB or in PostgreSQL beneath a compatible server. */
const namedIn = (plan: unknown, keys: readonly string[]): string[] => {
  if (Array.isArray(plan)) return plan.flatMap((part) => namedIn(part, keys));
  if (typeof plan !== 'object' || plan === null) return [];
  return Object.entries(plan).flatMap(([key, value]) =>
    keys.includes(key) && typeof value === 'string' ? [value] : namedIn(value, keys),
  );
};

/** The indexes that a plan reads. Servers on PostgreSQL also list others, under MongoDB's name. */
const indexesOf = (plan: unknown): ReadonlySet<string> => {
  const [beneath, own] = [namedIn(plan, ['Index Name']), namedIn(plan, ['indexName'])];
  return new Set(beneath.length > 0 ? beneath : own);
};

describe('every query of the store', () => {
  const name = uniqueName('credentials');
  let database: Database;

  beforeAll(async () => {
    database = await connectDatabase(testMongodbUri(), name);
    await migrate(database.connection, SCHEMA);
    for (const [collection, documentOf] of Object.entries(DOCUMENT_OF)) {
      const documents = Array.from({ length: DOCUMENTS }, (_, number) => ({
        _id: idOf(number),
        ...documentOf(number),
      }));
      await database.connection.collection<{ _id: string }>(collection).insertMany(documents);
    }
  });
  afterAll(async () => {
    await database.close();
    await dropDatabase(name);
  });

  const cases = [
    ['credentialPage, first', queries.credentialPage(undefined)],
    ['credentialPage, later', queries.credentialPage(idOf(2_000))],
    ['credentialPageOf, one owner, first', queries.credentialPageOf([idOf(7)], undefined)],
    ['credentialPageOf, one owner, later', queries.credentialPageOf([idOf(7)], idOf(2_000))],
    ['credentialPageOf', queries.credentialPageOf([idOf(7), idOf(8)], idOf(2_000))],
    ['credentialsGrantedTo', queries.credentialsGrantedTo(idOf(20), idOf(2_000))],
    ['credentialsNamed', queries.credentialsNamed(idOf(7), ['c57', 'c107'], ['typeA'])],
    ['grantedNamed', queries.grantedNamed(idOf(20), ['c57', 'c107'], ['typeA'])],
    ['grantsTo', queries.grantsTo(idOf(20))],
    ['credentialsSealedBy, first', queries.credentialsSealedBy('old', undefined)],
    ['credentialsSealedBy, later', queries.credentialsSealedBy('old', idOf(2_000))],
    ['credentialsLost', queries.credentialsLost()],
    ['userPage, first', queries.userPage(undefined)],
    ['userPage, later', queries.userPage(idOf(2_000))],
    ['userByEmail', queries.userByEmail('u77@example.test')],
    ['owners', queries.owners()],
    ['membersOfProject', queries.membersOfProject(idOf(8))],
    ['projectPage, first', queries.projectPage(undefined)],
    ['projectPage, later', queries.projectPage(idOf(2_000))],
    ['projectsById', queries.projectsById([idOf(8), idOf(9)])],
    ['credentialsOfUser', queries.credentialsOfUser(idOf(7))],
    ['keysOfUser', queries.keysOfUser(idOf(7))],
    ['keysByHash', queries.keysByHash(['h5', 'h6', 'h4999'])],
    ['openInvitations', queries.openInvitations(new Date('2099-06-01'))],
    ['invitationByHash', queries.invitationByHash('h77')],
    ['invitationsOfEmail', queries.invitationsOfEmail('u77@example.test')],
    ['identitiesOfUser', queries.identitiesOfUser(idOf(7))],
    ['keysByKid', queries.keysByKid('old')],
    ['sessionsOfUser', queries.sessionsOfUser(idOf(7))],
    ['environmentKey', queries.environmentKey()],
  ] as const;

  const everything = { actor: '', action: '', target: '', from: undefined, to: undefined };
  const auditCases = [
    ['audit, first', auditQuery(everything, undefined)],
    ['audit, later', auditQuery(everything, `${new Date(2_000_000).toISOString()} x`)],
    ['audit of an actor', auditQuery({ ...everything, actor: idOf(7) }, undefined)],
    ['audit of an action', auditQuery({ ...everything, action: 'a7' }, undefined)],
    ['audit of a target', auditQuery({ ...everything, target: idOf(7) }, undefined)],
  ] as const;

  it('has a test case', () => {
    expect(new Set(cases.map(([title]) => title.split(',')[0]))).toEqual(new Set(Object.keys(queries)));
  });

  it.each([...cases, ...auditCases])('%s uses an index', async (title, query) => {
    const cursor = database.connection.collection<{ _id: string }>(query.collection).find(query.filter).limit(20);
    if ('hint' in query) cursor.hint(query.hint);
    const plan: unknown = await ('sort' in query ? cursor.sort(query.sort) : cursor).explain('queryPlanner');
    const steps = namedIn(plan, ['stage', 'Node Type']).join(' > ');
    expect(steps).toMatch(/IXSCAN|IDHACK|EXPRESS|Index/);
    expect(steps).not.toMatch(/COLLSCAN|Seq Scan/);
    if (query.collection === 'credentials') expect(query).toHaveProperty('hint');
    if ('hint' in query) expect(indexesOf(plan)).toEqual(new Set([query.hint]));
    // Pages must be read in order; the few documents of one user may be sorted.
    if (title.includes(',')) expect(steps).not.toMatch(/SORT|Sort/);
  });
});
