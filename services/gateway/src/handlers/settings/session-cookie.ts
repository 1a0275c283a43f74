/** Name of the cookie that carries a session of the settings page; answers of webhooks may not set it. */
export const SESSION_COOKIE = 'weft_session';
