/** User and password of every server. */
export const REMOTE_LOGIN = { user: 'remote', password: 'test-password-1' } as const;
