/** User and password of every server. */
export const REMOTE_LOGIN = { user: 'remote', password: 'test-password-1' } as const;

/** Hash of the password of all servers, as crypt(3) makes it: Node cannot make one. */
export const PASSWORD_HASH =
  '$6$weft$HZF9y9FqkJ6k6uSKA2Aze0olWoO4ZHCFRsVcsC.sbwrWa8qHArcrxGqdZRId52955sw0mxuRruTdm6BNebuv2/';

/** The file in which an SSH server that does not run as root finds the password of its user. */
export const shadowFile = `root:*:20000:0:99999:7:::\n${REMOTE_LOGIN.user}:${PASSWORD_HASH}:20000:0:99999:7:::\n`;

/** Command line that makes the key of a host at `file`. */
export const hostKeyProgram = (file: string): readonly [string, ...string[]] => [
  '/usr/bin/ssh-keygen',
  ...['-q', '-t', 'ed25519', '-N', '', '-f', file],
];

/** Command line of an SSH server whose settings are at `file`. */
export const sshdProgram = (file: string): readonly [string, ...string[]] => [
  '/usr/sbin/sshd',
  ...['-D', '-e', '-f', file],
];

/**
 * Settings of an SSH server that runs as the user it serves; it takes passwords and keys. It never refuses a client for
 * earlier wrong passwords, as it would by default for 15 s after a few: all tests come from one address.
 */
export const sshdSettings = (port: number, hostKey: string): string => `
Port ${port}
ListenAddress 127.0.0.1
HostKey ${hostKey}
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication yes
KbdInteractiveAuthentication no
AuthorizedKeysFile /data/.ssh/authorized_keys
UseDNS no
PrintMotd no
MaxStartups 100
PerSourcePenalties no
Subsystem sftp internal-sftp
`;
