import { methodTable } from '../method';
import { isString } from '../type-tests';

/** Longest accepted address; anything longer is not one. */
const MAX_LENGTH = 10_000;
/** Characters before an `@` that are looked at for the name of a mailbox. */
const MAX_MAILBOX = 1000;
/** A host by its ending: two letters or more, a Punycode ending, `localhost`, or four numbers. */
const HOST = '(?:(?:[-\\w]+\\.)+(?:[a-z]{2,}|xn--[a-z0-9]+)|localhost|\\d{1,3}(?:\\.\\d{1,3}){3})';
const AFTER_HOST = '(?::\\d+)?(?:/[^\\s?]*)?(?:\\?[^\\s#]*)?(?:#\\S*)?$';
const URL_ANYWHERE = new RegExp(`(?:https?|ftp)://${HOST}\\S*`, 'i');
const WHOLE_URL = new RegExp(`^${URL_ANYWHERE.source}$`, 'i');
const DOMAIN = new RegExp(`^${HOST}${AFTER_HOST}`, 'i');
const DOMAIN_OF_URL = new RegExp(`^(?:(?:https?|ftp)://)?(?:mailto:)?(?://)?(${HOST})${AFTER_HOST}`, 'i');
const MAIL_HOST = /^(?:\[\d{1,3}(?:\.\d{1,3}){3}\]|(?:[a-z0-9-]+\.)+[a-z]{2,})/i;
const NOT_IN_MAILBOX = /[<>()[\]\\.,;:\s@"]/;

interface Email {
  readonly address: string;
  readonly host: string;
}

/** Start of the mailbox name that ends before the `@` at `at`: dotted words, or a text in quotes; `at` if none. */
function startOfMailbox(text: string, at: number): number {
  const floor = Math.max(0, at - MAX_MAILBOX);
  if (text.charAt(at - 1) === '"') {
    const line = Math.max(floor, text.lastIndexOf('\n', at) + 1);
    const quote = text.indexOf('"', line);
    return quote < at - 2 ? quote : at;
  }
  let start = at;
  while (start > floor) {
    const character = text.charAt(start - 1);
    const isDotBetween = character === '.' && start < at && text.charAt(start) !== '.';
    if (!isDotBetween && NOT_IN_MAILBOX.test(character)) break;
    start -= 1;
  }
  return text.charAt(start) === '.' ? start + 1 : start;
}

/** The first mail address in a text. */
function findEmail(text: string): Email | undefined {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const start = startOfMailbox(text, at);
    const host = start < at ? MAIL_HOST.exec(text.slice(at + 1, at + 256))?.[0] : undefined;
    if (host !== undefined) return { address: text.slice(start, at + 1) + host, host };
  }
  return undefined;
}

/** The address in a text without blanks. */
function wholeEmail(text: string): Email | undefined {
  return text.length > MAX_LENGTH || text.includes(' ') ? undefined : findEmail(text);
}

function extractDomain(text: string): string | undefined {
  const email = wholeEmail(text);
  if (email !== undefined) return email.host;
  return text.length > MAX_LENGTH ? undefined : DOMAIN_OF_URL.exec(text)?.[1];
}

function extractUrl(text: string): string | undefined {
  const start = text.search(/(?:https?|ftp):\/\//i);
  return start < 0 ? undefined : URL_ANYWHERE.exec(text.slice(start))?.[0].slice(0, MAX_LENGTH);
}

function extractUrlPath(text: string): string | undefined {
  return text.length <= MAX_LENGTH && URL.canParse(text) ? new URL(text).pathname : undefined;
}

/** Methods that expressions add to strings, about URLs, domains and mail addresses. */
export const stringAddressExtensions = methodTable('String', isString, {
  extractDomain: (_run, self) => extractDomain(self),
  extractEmail: (run, self) => {
    run.work(self.length);
    return findEmail(self)?.address;
  },
  extractUrl: (run, self) => {
    run.work(self.length >> 3);
    return extractUrl(self);
  },
  extractUrlPath: (_run, self) => extractUrlPath(self),
  isDomain: (_run, self) => self.length <= MAX_LENGTH && DOMAIN.test(self),
  isEmail: (_run, self) => wholeEmail(self) !== undefined,
  isUrl: (_run, self) => self.length <= MAX_LENGTH && WHOLE_URL.test(self),
});
