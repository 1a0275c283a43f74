/** Names of this service's cookies, with the prefixes by which browsers restrict a cookie, in any case of letters. */
const OWN = /^(?:__[a-z]+-)*weft_/i;

/** True for the name of a cookie of this service, in any spelling that it would accept. */
export const isOwnCookie = (name: string): boolean => OWN.test(name.trim());

/**
 * The name of a cookie as it is set: over https with the prefix that lets only this host, over https and for all its
 * paths, set it.
 */
export const hostCookie = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name);
