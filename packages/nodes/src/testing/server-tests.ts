import { SERVER_OPERATIONS } from './server-operations';

/** A test by the name of its file in `packages/nodes` and a part of its title. */
export type TestOf = readonly [file: string, title: string];

/**
 * What every kind that talks to a server withstands, beside dead and slow servers (`server-runs.ts`); a sentence where
 * a kind has no such thing.
 */
export interface FaultTests {
  readonly badCredentials: TestOf | string;
  readonly hostileNames: TestOf | string;
  readonly injection: TestOf | string;
}

/** Kinds whose servers have tests of their own: by `resource operation`, for all versions of the kind. */
export interface ServerTests {
  readonly operations: Readonly<Record<string, TestOf>>;
  readonly faults: FaultTests;
}

const REMOTE = 'test/remote-files.test.ts';
const S3 = 'test/s3.test.ts';
const IMAP = 'test/email-read-imap.test.ts';
const FEED = 'src/rss-feed-read-trigger/executor.test.ts';

/** Items and a failure of each operation, for every version. */
const onServer = (kind: keyof typeof SERVER_OPERATIONS): ServerTests['operations'] =>
  Object.fromEntries(
    Object.keys(SERVER_OPERATIONS[kind]('')).map((operation): [string, TestOf] => [
      operation,
      ['test/server-operations.long.test.ts', '%s gives its items, and a clear error'],
    ]),
  );

const s3: ServerTests = {
  operations: onServer('s3'),
  faults: {
    badCredentials: [S3, 'names wrong keys, and shows none'],
    hostileNames: [S3, 'refuses the key "%s" before anything is sent'],
    injection: [S3, 'deletes a folder with all that is in it, and nothing else'],
  },
};

/** Faults of a database, whose operations are cases. */
const database = (hostileNames: TestOf, injection: TestOf): FaultTests => ({
  badCredentials: ['test/database-cases.long.test.ts', '%s reports a wrong password without it'],
  hostileNames,
  injection,
});

const wrongPaths = [REMOTE, 'refuses paths that would be other commands (%s)'] as const;
const sshFiles = [REMOTE, 'uploads and downloads a file, with a hostile name below the folder that is stated'] as const;

export const SERVER_TESTS: Readonly<Record<string, ServerTests>> = {
  s3,
  awsS3: s3,
  ftp: {
    operations: onServer('ftp'),
    faults: {
      badCredentials: [REMOTE, 'reports a wrong password without it, as one item if the node goes on (%s)'],
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
      hostileNames: [IMAP, 'version %s fails for a mailbox that does not exist, however it is called'],
      injection: [IMAP, 'refuses the rules %s'],
    },
  },
  rssFeedReadTrigger: {
    operations: { '': [FEED, 'remembers what is there at first, then outputs what comes'] },
    faults: {
      badCredentials: 'It has no credential.',
      hostileNames: [FEED, 'does not reach a private address'],
      injection: 'Nothing of an item goes into its request.',
    },
  },
};

/** Faults of the kinds whose operations are cases, run on the real server where it is a database. */
export const CASE_FAULTS: Readonly<Record<string, FaultTests>> = {
  postgres: database(
    ['src/postgres/cases.ts', 'names a table that does not exist, however it is called'],
    ['src/postgres/cases.ts', 'never makes a parameter part of the query, whatever it holds'],
  ),
  mySql: database(
    ['src/my-sql/cases.ts', 'quotes the names of columns, so that none breaks out of the statement'],
    ['src/my-sql/cases.ts', 'never makes a parameter part of the query, whatever it holds'],
  ),
  mongoDb: database(
    ['src/mongo-db/cases.ts', 'uses a collection with a hostile name'],
    ['src/mongo-db/cases.ts', 'keeps values from becoming operators'],
  ),
  n8n: {
    badCredentials: ['src/n8n/executor.test.ts', 'reports a key that is refused with %d, and shows it nowhere'],
    hostileNames: ['src/n8n/cases.ts', 'refuses ids that lead to another path'],
    injection: ['src/n8n/cases.ts', 'keeps ids apart from the rest of the path'],
  },
  redis: database(
    ['src/redis/cases.ts', 'gives the values of keys of every type under a name with dots'],
    ['src/redis/cases.ts', 'writes texts, whatever they hold, and gives its items'],
  ),
};

const FILES = 'src/read-write-file/cases.ts';
const IMAGES = 'src/edit-image/program/edit-image.test.ts';
/** Every operation of every version, with input made from its case. */
const faults = ['src/executors/node-faults.long.test.ts', 'give items or a clear error: %s %s %s'] as const;
const NO_CREDENTIAL = 'It has no credential.';
const files = (hostileNames: TestOf): FaultTests => ({
  badCredentials: NO_CREDENTIAL,
  hostileNames,
  injection: faults,
});

/** Faults of kinds that talk to no server of their users. */
export const LOCAL_FAULTS: Readonly<Record<string, FaultTests>> = {
  n8nTrainingCustomerDatastore: files(faults),
  readWriteFile: files([FILES, 'does not leave the files of the workflow by a pattern']),
  readBinaryFile: files([FILES, 'fails for a file that does not exist']),
  readBinaryFiles: files([FILES, 'refuses patterns whose cost cannot be bounded']),
  writeBinaryFile: files([FILES, 'does not leave the files of the workflow by ${fileName}']),
  editImage: {
    badCredentials: NO_CREDENTIAL,
    hostileNames: [IMAGES, 'refuses the colour "%s"'],
    injection: [IMAGES, 'takes no character of it for an instruction'],
  },
  totp: {
    badCredentials: ['src/totp/cases.ts', 'refuses a secret that is not Base32'],
    hostileNames: ['src/totp/cases.ts', 'refuses a label without an issuer'],
    injection: faults,
  },
  readPDF: {
    badCredentials: ['src/read-pdf/cases.ts', 'names a wrong password'],
    hostileNames: faults,
    injection: faults,
  },
};

/** What each kind without an account withstands. */
export const FAULT_TESTS: Readonly<Record<string, FaultTests>> = {
  ...LOCAL_FAULTS,
  ...CASE_FAULTS,
  ...Object.fromEntries(Object.entries(SERVER_TESTS).map(([kind, one]) => [kind, one.faults])),
};

/** Where every kind of `SERVER_RUNS` meets a server that is dead, silent or slow. */
export const DEAD_AND_SLOW = {
  dead: ['test/dead-and-slow-servers.long.test.ts', 'says so where nothing listens'],
  silent: [
    'test/dead-and-slow-servers.long.test.ts',
    'ends with its time limit where the server accepts and stays silent, and hangs up',
  ],
  slow: [
    'test/dead-and-slow-servers.long.test.ts',
    'ends with its time limit where the server says one byte at a time, and hangs up',
  ],
} as const satisfies Readonly<Record<string, TestOf>>;

/** Kinds whose operations need no case: real servers have them and their faults (`test/remote-faults.long.test.ts`). */
export const ON_SERVERS_ALONE: readonly string[] = ['ftp', 'ssh'];
