/** TLS of a connection to a database. */
export interface DatabaseTls {
  readonly rejectUnauthorized: boolean;
  /** False: the certificate may be for another host (MySQL alone). */
  readonly checkHost?: boolean;
  /** Authorities that the server's certificate may come from, instead of the usual ones, in PEM. */
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
  /** Bytes that the server may send in answer to one query. */
  readonly maxBytes: number;
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
  /** Values as the client of the server reads them: numbers, strings, booleans, null, Buffer, parsed JSON. */
  readonly rows: readonly Record<string, unknown>[];
  /** True if the statement gives rows at all. */
  readonly hasRows: boolean;
  /** What else the server says: number of affected rows, generated id. */
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
  /** Dates and times as the server writes them instead of points in time. */
  readonly datesAsText: boolean;
  /** Every BIGINT as a string, not only those that no number can hold. */
  readonly largeNumbersAsText: boolean;
  /** DECIMAL as numbers. */
  readonly decimalNumbers: boolean;
}

/** One connection to an SQL server. Not for concurrent use. */
export interface SqlSession {
  /**
   * Runs a statement. A text without values may hold several statements: there is one result for each. Rejects with
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

/** Clients of databases. Their connections are opened by the rules of the outbound client, and end with the signal. */
export interface Databases {
  /** Connects and logs in. Rejects with DatabaseFailed or OutboundError. */
  postgres(server: SqlServer, options: PostgresOptions, bounds: QueryBounds, signal: AbortSignal): Promise<SqlSession>;
  /** Connects and logs in. Rejects with DatabaseFailed or OutboundError. */
  mysql(server: SqlServer, options: MysqlOptions, bounds: QueryBounds, signal: AbortSignal): Promise<SqlSession>;
  /** Connects, logs in and selects the database. Rejects with DatabaseFailed or OutboundError. */
  redis(server: RedisServer, bounds: QueryBounds, signal: AbortSignal): Promise<RedisSession>;
}

/** The database refused a login or a query. The message is for the owner of the workflow. */
export class DatabaseFailed extends Error {
  constructor(
    message: string,
    /** The server's own code, such as 42P01 or ER_NO_SUCH_TABLE. */
    readonly code: string,
    /** What the server adds to its message. */
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
