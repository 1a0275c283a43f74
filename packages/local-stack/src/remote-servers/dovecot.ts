import { REMOTE_LOGIN } from './sshd';

/** Command line of an IMAP server whose settings are at `file`. */
export const dovecotProgram = (file: string): readonly [string, ...string[]] => [
  '/usr/sbin/dovecot',
  ...['-F', '-c', file],
];

/** Settings of an IMAP server that runs as the user it serves, without TLS. Every user name has the one mailbox. */
export const dovecotSettings = (port: number): string => `
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
base_dir = /data/dovecot
state_dir = /data/dovecot
default_login_user = ${REMOTE_LOGIN.user}
default_internal_user = ${REMOTE_LOGIN.user}
default_internal_group = ${REMOTE_LOGIN.user}
log_path = /dev/stderr
protocols = imap
listen = 127.0.0.1
ssl = no
auth_allow_cleartext = yes
auth_failure_delay = 0
first_valid_uid = 1
mail_driver = maildir
mail_path = /data/mail/%{user}
mail_uid = ${REMOTE_LOGIN.user}
mail_gid = ${REMOTE_LOGIN.user}
mail_home = /data/home/%{user}
service anvil {
  chroot =
}
service stats {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
}
passdb static {
  password = ${REMOTE_LOGIN.password}
}
userdb static {
}
`;
