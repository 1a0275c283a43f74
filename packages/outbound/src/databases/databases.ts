/** TLS of a connection to a database. */
export interface DatabaseTls {
  readonly rejectUnauthorized: boolean;
  /** False: the certificate may be for another host (MySQL alone). */
  readonly checkHost?: boolean;
  /** Certificate authorities for the server's certificate, instead of the default ones, in PEM. */
  readonly ca?: string;
  /** Client certificate and key, in PEM. */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** Bounds of one session with a database. */
export interface QueryBounds {
  /** Milliseconds for the connection and the login. */
  readonly connectMs: number;
  /** Milliseconds for one query. */
  readonly queryMs: number;
  /** Rows of the results of one query. */
  readonly maxRows: number;
  /** Bytes that the server may send in response to one query. */
  readonly maxBytes: number;
  /**
   * Called with received bytes before they are parsed. A reason that it returns ends the session: there is no memory
   * for more.
   */
  readonly received?: (bytes: number) => ResultRefused | undefined;
}

/** A database server and a login. */
export interface SqlServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Empty: the server's default. */
  readonly database: string;
  /** Absent: without TLS. */
  readonly tls?: DatabaseTls;
}

/** A value that is bound to a placeholder. Objects are sent as JSON. */
export type SqlValue = string | number | boolean | null | Uint8Array;

/** SQL with its values, which are bound by the server and never become part of the text. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Result of one statement. */
export interface SqlResult {
  /** Values as the database client reads them: numbers, strings, booleans, null, Buffer, parsed JSON. */
  readonly rows: readonly Record<string, unknown>[];
  /** True if the statement returns rows. */
  readonly hasRows: boolean;
  /** Other results of the statement: number of affected rows, generated id. */
  readonly summary: Readonly<Record<string, unknown>>;
}

/** Options of a PostgreSQL session. */
export interface PostgresOptions {
  /** Dates without a time as `2026-01-31` instead of midnight UTC. */
  readonly datesAsText: boolean;
  /** BIGINT and NUMERIC as numbers instead of strings. */
  readonly largeNumbers: boolean;
}

/** Options of a MySQL session. */
export interface MysqlOptions {
  /** Dates and times as strings of the server instead of points in time. */
  readonly datesAsText: boolean;
  /** Every BIGINT as a string, not only those that exceed a JavaScript number. */
  readonly largeNumbersAsText: boolean;
  /** DECIMAL as numbers. */
  readonly decimalNumbers: boolean;
}

/** One connection to an SQL server. Not for concurrent use. */
export interface SqlSession {
  /**
   * Runs a statement. Text without values may hold several statements: there is one result for each. Rejects with
   * DatabaseFailed, QueryTooLarge or OutboundError; after the last two the session is over.
   */
  run(statement: SqlStatement): Promise<readonly SqlResult[]>;
  /** Ends the connection at once. */
  close(): void;
}

/** A Redis server and a login. */
export interface RedisServer {
  readonly host: string;
  readonly port: number;
  /** Empty: the default user. */
  readonly user: string;
  /** Empty: no login. */
  readonly password: string;
  readonly database: number;
  readonly tls?: DatabaseTls;
}

/** A reply of Redis; errors are thrown. */
export type RedisReply = string | number | null | readonly RedisReply[];

/** One connection to a Redis server. Not for concurrent use. */
export interface RedisSession {
  /** Sends one command. Rejects with DatabaseFailed, QueryTooLarge or OutboundError. */
  command(...parts: readonly (string | number)[]): Promise<RedisReply>;
  close(): void;
}

/** Values of a document: JSON, dates, and types that only the server has, such as object ids. */
export type MongoDocument = Readonly<Record<string, unknown>>;

/** A MongoDB server, or the members of a replica set, and a login. */
export interface MongoServer {
  /** Connection string with the login. */
  readonly url: string;
  /** Empty: the one that the connection string names. */
  readonly database: string;
  /** Absent: as the connection string says. */
  readonly tls?: Omit<DatabaseTls, 'rejectUnauthorized' | 'checkHost'>;
}

/** Filter, order and limit of a query for documents. */
export interface MongoFind {
  readonly filter: MongoDocument;
  /** 0: all. */
  readonly limit: number;
  readonly skip: number;
  readonly sort?: MongoDocument;
  readonly projection?: MongoDocument;
}

/** An update of the first document that a filter matches. */
export interface MongoChange {
  readonly filter: MongoDocument;
  /** New values of some fields, or the whole new document. */
  readonly document: MongoDocument;
  /** True to insert a document if none matches. */
  readonly upsert: boolean;
}

/** A change of an array in the first document that a filter matches, in one step. */
export interface MongoArrayChange {
  readonly filter: MongoDocument;
  /** Name of the field with the array. */
  readonly field: string;
  /** Values to append, or to replace the array with. */
  readonly values: readonly MongoDocument[];
  readonly replaces: boolean;
  /** Number of values that stay, from the first on; all if absent. */
  readonly keep?: number;
  /** Fields of the document that is inserted if none matches; absent: none is inserted. */
  readonly inserted?: MongoDocument;
}

/** A search index of a collection. */
export interface MongoSearchIndex {
  readonly name: string;
  readonly type: 'search' | 'vectorSearch';
  readonly definition: MongoDocument;
}

/**
 * One client of a MongoDB server. Not for concurrent use. Everything rejects with DatabaseFailed, QueryTooLarge,
 * ResultRefused or OutboundError; after the last three the session is over.
 */
export interface MongoSession {
  find(collection: string, find: MongoFind): Promise<readonly MongoDocument[]>;
  aggregate(collection: string, pipeline: readonly MongoDocument[]): Promise<readonly MongoDocument[]>;
  /** Resolves to the number of documents. */
  deleteMany(collection: string, filter: MongoDocument): Promise<number>;
  /** Resolves to the ids of the documents. */
  insertMany(collection: string, documents: readonly MongoDocument[]): Promise<readonly unknown[]>;
  change(
    collection: string,
    how: 'findOneAndReplace' | 'findOneAndUpdate' | 'updateOne',
    change: MongoChange,
  ): Promise<void>;
  /**
   * Sends many updates at once. Resolves to the messages of those that failed, by position.
   * @param ordered true: rejects at the first failure, and leaves the rest undone
   */
  updateAll(
    collection: string,
    changes: readonly MongoChange[],
    ordered: boolean,
  ): Promise<ReadonlyMap<number, string>>;
  /** Resolves to false if no document matched and none was inserted. */
  changeArray(collection: string, change: MongoArrayChange): Promise<boolean>;
  /** @param name undefined: all */
  listSearchIndexes(collection: string, name: string | undefined): Promise<readonly MongoDocument[]>;
  createSearchIndex(collection: string, index: MongoSearchIndex): Promise<void>;
  updateSearchIndex(collection: string, name: string, definition: MongoDocument): Promise<void>;
  dropSearchIndex(collection: string, name: string): Promise<void>;
  close(): void;
}

/** Database clients. They connect by the rules of the outbound client and end with the signal. */
export interface Databases {
  /** Connects and logs in. Rejects with DatabaseFailed or OutboundError. */
  postgres(server: SqlServer, options: PostgresOptions, bounds: QueryBounds, signal: AbortSignal): Promise<SqlSession>;
  /** Connects and logs in. Rejects with DatabaseFailed or OutboundError. */
  mysql(server: SqlServer, options: MysqlOptions, bounds: QueryBounds, signal: AbortSignal): Promise<SqlSession>;
  /** Connects, logs in and selects the database. Rejects with DatabaseFailed or OutboundError. */
  redis(server: RedisServer, bounds: QueryBounds, signal: AbortSignal): Promise<RedisSession>;
  /** Connects and logs in. Rejects with DatabaseFailed or OutboundError. */
  mongo(server: MongoServer, bounds: QueryBounds, signal: AbortSignal): Promise<MongoSession>;
}

/** The database refused a login or a query. The message is for the owner of the workflow. */
export class DatabaseFailed extends Error {
  constructor(
    message: string,
    /** The server's own code, such as 42P01 or ER_NO_SUCH_TABLE. */
    readonly code: string,
    /** Details that the server adds to its message. */
    readonly detail?: string,
  ) {
    super(message);
    this.name = 'DatabaseFailed';
  }
}

/** The result of a query exceeds a bound. */
export class QueryTooLarge extends Error {
  constructor(readonly exceeded: 'rows' | 'bytes') {
    super(`The result of the query has too many ${exceeded}.`);
    this.name = 'QueryTooLarge';
  }
}

/** There is no memory for more of the server's response. The message is for the owner of the workflow. */
export class ResultRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ResultRefused';
  }
}
