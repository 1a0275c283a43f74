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

const SESSIONS = 'test/database-sessions.test.ts';
const REMOTE = 'test/remote-files.test.ts';
const S3 = 'test/s3.test.ts';
const IMAP = 'test/email-read-imap.test.ts';
const FEED = 'src/rss-feed-read-trigger/executor.test.ts';

const bucket = [S3, 'deletes a bucket once it is empty'] as const;
const listing = [S3, 'lists files and folders apart, page by page'] as const;
const upload = [S3, 'uploads a text and a file with tags, and downloads them as they were'] as const;
const keys = [S3, 'refuses the key "%s" before anything is sent'] as const;
const s3: ServerTests = {
  operations: {
    'bucket create': [S3, 'creates a bucket, lists it, and reports one that exists'],
    'bucket getAll': [S3, 'creates a bucket, lists it, and reports one that exists'],
    'bucket search': bucket,
    'bucket delete': bucket,
    'file copy': [S3, 'copies a file'],
    'file delete': bucket,
    'file download': upload,
    'file upload': upload,
    'file getAll': listing,
    'folder create': listing,
    'folder getAll': listing,
    'folder delete': [S3, 'deletes a folder with all that is in it, and nothing else'],
  },
  faults: {
    badCredentials: [S3, 'names wrong keys, and shows none'],
    hostileNames: keys,
    injection: keys,
  },
};

/** Faults of a database, whose operations are cases. */
const database = (hostileNames: TestOf, injection: TestOf): FaultTests => ({
  badCredentials: [SESSIONS, 'reports a wrong password without it'],
  hostileNames,
  injection,
});

const wrongPaths = [REMOTE, 'refuses paths that would be other commands'] as const;
const uploads = [REMOTE, 'uploads text and files into folders that it makes, and gives the item (%s)'] as const;
const sshFiles = [REMOTE, 'uploads and downloads a file, with a hostile name below the folder that is stated'] as const;

export const SERVER_TESTS: Readonly<Record<string, ServerTests>> = {
  s3,
  awsS3: s3,
  ftp: {
    operations: {
      delete: [REMOTE, 'deletes files, and folders with what is in them (%s)'],
      download: uploads,
      list: [REMOTE, 'lists a folder, and all below it (%s)'],
      rename: [REMOTE, 'renames, into a folder that it makes if that is asked for (%s)'],
      upload: uploads,
    },
    faults: {
      badCredentials: [REMOTE, 'reports a wrong password without it, as one item if the node goes on'],
      hostileNames: wrongPaths,
      injection: wrongPaths,
    },
  },
  ssh: {
    operations: {
      'command execute': [REMOTE, 'runs a command in a folder, and gives its output and its code'],
      'file download': sshFiles,
      'file upload': sshFiles,
    },
    faults: {
      badCredentials: [REMOTE, 'reports a wrong password without it'],
      hostileNames: sshFiles,
      injection: [REMOTE, 'treats the name of a folder as one word'],
    },
  },
  emailReadImap: {
    operations: { '': [IMAP, 'version %s outputs each mail once, and marks it as read'] },
    faults: {
      badCredentials: [IMAP, 'fails for a wrong password without repeating it, and for a mailbox that does not exist'],
      hostileNames: [IMAP, 'fails for a wrong password without repeating it, and for a mailbox that does not exist'],
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

/** Faults of the kinds whose operations are cases, run on the real server. */
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
  redis: database(
    ['src/redis/cases.ts', 'gives the values of keys of every type under a name with dots'],
    ['src/redis/cases.ts', 'writes texts, whatever they hold, and gives its items'],
  ),
};

/** Kinds whose operations need no case: real servers have them, and their faults (`test/remote-faults.test.ts`). */
export const ON_SERVERS_ALONE: readonly string[] = ['ftp', 'ssh'];
