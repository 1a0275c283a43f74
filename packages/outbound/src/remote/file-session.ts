/** Server for files and commands over SSH, and a login. */
export interface SshServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Empty: none. */
  readonly password: string;
  /** In PEM or OpenSSH form; empty: none. */
  readonly privateKey: string;
  /** Of the key; empty: none. */
  readonly passphrase: string;
  /** `SHA256:` and the hash of the server's key in base64, as OpenSSH shows it. Empty: any key is accepted. */
  readonly hostFingerprint: string;
}

/** Server for files over FTP, without TLS, and a login. */
export interface FtpServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** Bounds of one session. */
export interface RemoteBounds {
  /** Milliseconds for the connection and the login. */
  readonly connectMs: number;
  /** Milliseconds for one step: a command, or one file. */
  readonly stepMs: number;
  /** Milliseconds of silence in a step, over FTP. */
  readonly silenceMs: number;
  /** Bytes of one file, or of the output of one command. */
  readonly maxBytes: number;
  /** Entries of all folders that are listed in one step. */
  readonly maxEntries: number;
  /** Called with received bytes. A reason that it returns ends the session: there is no memory for more. */
  readonly received?: (bytes: number) => Error | undefined;
}

/** Result of a command. */
export interface CommandResult {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Letters of `rwx` for each class of users. */
export interface FileRights {
  readonly user: string;
  readonly group: string;
  readonly other: string;
}

/** An entry of a folder. */
export interface RemoteEntry {
  readonly name: string;
  readonly type: 'd' | 'l' | '-';
  readonly bytes: number;
  /** Undefined if the server does not send it. */
  readonly modifiedAt: Date | undefined;
  /** Over SFTP alone. */
  readonly accessedAt?: Date;
  readonly rights: FileRights;
  /** Name over FTP, number over SFTP. */
  readonly owner: string | number;
  readonly group: string | number;
  /** The line that the server shows for people, over SFTP. */
  readonly longname?: string;
}

/** Files of a server. Not for concurrent use. Everything rejects with RemoteFailed, ResultRefused or OutboundError. */
export interface RemoteFiles {
  /** Without `.` and `..`. */
  list(path: string): Promise<readonly RemoteEntry[]>;
  read(path: string): Promise<Uint8Array>;
  write(path: string, content: Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
  /** @param withContent true to remove the content as well; otherwise the folder must be empty */
  removeFolder(path: string, withContent: boolean): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Creates a folder and its missing parents. */
  makeFolders(path: string): Promise<void>;
}

/** A login over SSH. */
export interface SshSession extends RemoteFiles {
  run(command: string): Promise<CommandResult>;
}
