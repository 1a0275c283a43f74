import { methodTable } from '../method';
import { isString } from '../type-tests';

/** Longest accepted address; anything longer is not one. */
const MAX_LENGTH = 10_000;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?(?::\\d{1,5})?$`, 'i');
const IP_V4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const URL_START = /(?:https?|ftp|file):\/\/[^\s/?#<>"']/gi;
const URL_END = /[\s<>"'`]/;
const MAILBOX_CHARACTER = /[a-z0-9.!#$%&*+/=?^_{|}~-]/i;
const HOST_CHARACTER = /[a-z0-9.-]/i;

function isUrl(text: string): boolean {
  return text.length <= MAX_LENGTH && /^[a-z][a-z0-9+.-]{0,50}:\/\/[^\s/?#]+\S*$/i.test(text) && URL.canParse(text);
}

function isDomain(text: string): boolean {
  return text.length <= 260 && DOMAIN.test(text);
}

/** The address around the `@` at `at`; undefined if there is none. */
function emailAt(text: string, at: number): string | undefined {
  let start = at;
  while (start > 0 && at - start < 64 && MAILBOX_CHARACTER.test(text.charAt(start - 1))) start -= 1;
  let end = at + 1;
  while (end < text.length && end - at < 254 && HOST_CHARACTER.test(text.charAt(end))) end += 1;
  const host = text.slice(at + 1, end).replace(/[.-]{1,254}$/, '');
  return start < at && isDomain(host) ? text.slice(start, at + 1) + host : undefined;
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  return text.length <= 320 && at > 0 && emailAt(text, at) === text;
}

function extractEmail(text: string): string | undefined {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const email = emailAt(text, at);
    if (email !== undefined) return email;
  }
  return undefined;
}

function extractUrl(text: string): string | undefined {
  for (const match of text.matchAll(URL_START)) {
    const rest = text.slice(match.index, match.index + MAX_LENGTH);
    const end = rest.search(URL_END);
    const url = end < 0 ? rest : rest.slice(0, end);
    if (URL.canParse(url)) return url;
  }
  return undefined;
}

function extractDomain(text: string): string | undefined {
  const address = text.trim().replace(/^mailto:/i, '');
  if (isEmail(address)) return address.slice(address.lastIndexOf('@') + 1);
  if (address.length > MAX_LENGTH) return undefined;
  const scheme = /^(?:[a-z][a-z0-9+.-]{0,50}:)?\/\//i.exec(address)?.[0] ?? '';
  const authority = address.slice(scheme.length).split(/[/?#]/, 1)[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d{1,5}$/, '');
  if (isDomain(host) || IP_V4.test(host)) return host;
  return scheme !== '' && /^[a-z0-9-]{1,63}$/i.test(host) ? host : undefined;
}

function extractUrlPath(text: string): string | undefined {
  return text.length <= MAX_LENGTH && URL.canParse(text) ? new URL(text).pathname : undefined;
}

/** Methods that expressions add to texts, about URLs, domains and mail addresses. */
export const stringAddressExtensions = methodTable('String', isString, {
  extractDomain: (_run, self) => extractDomain(self),
  extractEmail: (run, self) => {
    run.work(self.length);
    return extractEmail(self);
  },
  extractUrl: (run, self) => {
    run.work(self.length >> 3);
    return extractUrl(self);
  },
  extractUrlPath: (_run, self) => extractUrlPath(self),
  isDomain: (_run, self) => isDomain(self),
  isEmail: (_run, self) => isEmail(self),
  isUrl: (_run, self) => isUrl(self),
});
