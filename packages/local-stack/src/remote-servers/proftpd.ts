import { PASSWORD_HASH, REMOTE_LOGIN } from './sshd';
import { CHROOT_USER } from '../debian/chroot';

/** The file in which the FTP server finds its user, with the home `/data/ftp`. */
export const ftpUsersFile = `${REMOTE_LOGIN.user}:${PASSWORD_HASH}:${CHROOT_USER}:${CHROOT_USER}::/data/ftp:/bin/sh\n`;

/** Command line of an FTP server whose settings are at `file`. */
export const proftpdProgram = (file: string): readonly [string, ...string[]] => [
  '/usr/sbin/proftpd',
  ...['--nodaemon', '--config', file],
];

/** Settings of an FTP server that runs as the user it serves, without TLS. */
export const proftpdSettings = (port: number, users: string): string => `
ModulePath /usr/lib/proftpd
LoadModule mod_ls.c
LoadModule mod_xfer.c
ServerName test
ServerType standalone
Port ${port}
DefaultAddress 127.0.0.1
SocketBindTight on
UseIPv6 off
UseReverseDNS off
User ${REMOTE_LOGIN.user}
Group ${REMOTE_LOGIN.user}
AuthOrder mod_auth_file.c
AuthUserFile ${users}
RequireValidShell off
UseFtpUsers off
WtmpLog off
PidFile /data/proftpd/pid
ScoreboardFile /data/proftpd/scoreboard
SystemLog /data/proftpd/log
ControlsEngine off
AllowOverwrite on
MaxInstances 100
MaxLoginAttempts 3
`;
