import { SERVER_OPERATIONS } from './server-operations';

/** A test by its file in `packages/nodes` and a part of its title. */
export type TestOf = readonly [file: string, title: string];

/**
 * Tests that every kind with a server must have besides dead and slow servers (`server-runs.ts`); a sentence where one
 * does not apply.
 */
export interface FaultTests {
  readonly badCredentials: TestOf | string;
  readonly hostileNames: TestOf | string;
  readonly injection: TestOf | string;
}

/** Kinds that are tested on real servers: by `resource operation`, for all versions of the kind. */
export interface ServerTests {
  readonly operations: Readonly<Record<string, TestOf>>;
  readonly faults: FaultTests;
}

const REMOTE = 'test/remote-files.test.ts';
const S3 = 'test/s3.test.ts';
const IMAP = 'test/email-read-imap.test.ts';
const FEED = 'src/rss-feed-read-trigger/executor.test.ts';

/** Output and a failure of each operation, for every version. */
const onServer = (kind: keyof typeof SERVER_OPERATIONS): ServerTests['operations'] =>
  Object.fromEntries(
    Object.keys(SERVER_OPERATIONS[kind]('')).map((operation): [string, TestOf] => [
      operation,
      ['test/server-operations.long.test.ts', '%s outputs its items, and a clear error'],
    ]),
  );

const s3: ServerTests = {
  operations: onServer('s3'),
  faults: {
    badCredentials: [S3, 'reports wrong keys without showing them'],
    hostileNames: [S3, 'rejects the key "%s" before anything is sent'],
    injection: [S3, 'deletes a folder with all its content, and nothing else'],
  },
};

/** Faults of a database, whose operations are cases. */
const database = (hostileNames: TestOf, injection: TestOf): FaultTests => ({
  badCredentials: ['test/database-cases.long.test.ts', '%s reports a wrong password without it'],
  hostileNames,
  injection,
});

const wrongPaths = [REMOTE, 'rejects paths that would be other commands (%s)'] as const;
const sshFiles = [REMOTE, 'uploads and downloads a file, with a hostile name below the given folder'] as const;

export const SERVER_TESTS: Readonly<Record<string, ServerTests>> = {
  s3,
  awsS3: s3,
  ftp: {
    operations: onServer('ftp'),
    faults: {
      badCredentials: [REMOTE, 'reports a wrong password without it, as one item if it continues (%s)'],
      hostileNames: wrongPaths,
      injection: wrongPaths,
    },
  },
  ssh: {
    operations: onServer('ssh'),
    faults: {
      badCredentials: [REMOTE, 'reports a wrong password without it'],
      hostileNames: sshFiles,
      injection: [REMOTE, 'treats the name of a folder as one word'],
    },
  },
  emailReadImap: {
    operations: { '': [IMAP, 'version %s outputs each mail once, and marks it as read'] },
    faults: {
      badCredentials: [IMAP, 'version %s fails for a wrong password without repeating it'],
      hostileNames: [IMAP, 'version %s fails for a mailbox that does not exist, whatever its name'],
      injection: [IMAP, 'rejects the rules %s'],
    },
  },
  rssFeedReadTrigger: {
    operations: { '': [FEED, 'remembers the entries of the first poll, then outputs new ones'] },
    faults: {
      badCredentials: 'It has no credential.',
      hostileNames: [FEED, 'does not reach a private address'],
      injection: 'Its request contains nothing from an item.',
    },
  },
};

/** Faults of the kinds whose operations are cases, run on the real server for databases. */
export const CASE_FAULTS: Readonly<Record<string, FaultTests>> = {
  postgres: database(
    ['src/postgres/cases.ts', 'reports a table that does not exist, whatever its name'],
    ['src/postgres/cases.ts', 'never makes a parameter part of the query, whatever its content'],
  ),
  mySql: database(
    ['src/my-sql/cases.ts', 'quotes column names, so that none breaks out of the statement'],
    ['src/my-sql/cases.ts', 'never makes a parameter part of the query, whatever its content'],
  ),
  mongoDb: database(
    ['src/mongo-db/cases.ts', 'uses a collection with a hostile name'],
    ['src/mongo-db/cases.ts', 'prevents values from becoming operators'],
  ),
  n8n: {
    badCredentials: ['src/n8n/executor.test.ts', 'reports a key that is rejected with %d, and never shows it'],
    hostileNames: ['src/n8n/cases.ts', 'rejects ids that lead to another path'],
    injection: ['src/n8n/cases.ts', 'separates ids from the rest of the path'],
  },
  redis: database(
    ['src/redis/cases.ts', 'outputs the values of keys of every type under a name with dots'],
    ['src/redis/cases.ts', 'writes strings of any content, and outputs its items'],
  ),
  'langchain.vectorStorePGVector': database(
    ['src/langchain/retrieval/pg-vector/cases.ts', 'refuses the name of a table that is more than a name'],
    ['src/langchain/retrieval/pg-vector/cases.ts', 'never makes a filter part of the statement, whatever its content'],
  ),
};

const FILES = 'src/read-write-file/cases.ts';
const IMAGES = 'src/edit-image/program/edit-image.test.ts';
/** Every operation of every version, with input derived from its case. */
const faults = ['src/executors/node-faults.long.test.ts', 'give items or a clear error: %s %s %s'] as const;
const NO_CREDENTIAL = 'It has no credential.';
const files = (hostileNames: TestOf): FaultTests => ({
  badCredentials: NO_CREDENTIAL,
  hostileNames,
  injection: faults,
});

/** Faults of kinds that talk to no user's server. */
export const LOCAL_FAULTS: Readonly<Record<string, FaultTests>> = {
  n8nTrainingCustomerDatastore: files(faults),
  readWriteFile: files([FILES, 'does not escape the files of the workflow with a pattern']),
  readBinaryFile: files([FILES, 'fails for a file that does not exist']),
  readBinaryFiles: files([FILES, 'rejects patterns of unlimited cost']),
  writeBinaryFile: files([FILES, 'does not escape the files of the workflow with ${fileName}']),
  editImage: {
    badCredentials: NO_CREDENTIAL,
    hostileNames: [IMAGES, 'rejects the colour "%s"'],
    injection: [IMAGES, 'treats no character of it as an instruction'],
  },
  totp: {
    badCredentials: ['src/totp/cases.ts', 'rejects a secret that is not Base32'],
    hostileNames: ['src/totp/cases.ts', 'rejects a label without an issuer'],
    injection: faults,
  },
  readPDF: {
    badCredentials: ['src/read-pdf/cases.ts', 'reports a wrong password'],
    hostileNames: faults,
    injection: faults,
  },
};

/** Fault tests of each kind without an account. */
export const FAULT_TESTS: Readonly<Record<string, FaultTests>> = {
  ...LOCAL_FAULTS,
  ...CASE_FAULTS,
  ...Object.fromEntries(Object.entries(SERVER_TESTS).map(([kind, one]) => [kind, one.faults])),
};

/** Tests of every kind in `SERVER_RUNS` against a server that is dead, silent or slow. */
export const DEAD_AND_SLOW = {
  dead: ['test/dead-and-slow-servers.long.test.ts', 'reports that nothing listens'],
  silent: ['test/dead-and-slow-servers.long.test.ts', 'times out if the server accepts and stays silent, and hangs up'],
  slow: ['test/dead-and-slow-servers.long.test.ts', 'times out if the server sends one byte at a time, and hangs up'],
} as const satisfies Readonly<Record<string, TestOf>>;

/** Kinds without cases: `test/remote-faults.long.test.ts` runs their operations and faults on real servers. */
export const ON_SERVERS_ALONE: readonly string[] = ['ftp', 'ssh'];
