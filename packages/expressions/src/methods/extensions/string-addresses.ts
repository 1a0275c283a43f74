import { methodTable } from '../method';
import { isString } from '../type-tests';

/** Longest accepted address; anything longer is not one. */
const MAX_LENGTH = 10_000;
/** Characters before an `@` that are looked at for the name of a mailbox. */
const MAX_MAILBOX = 1000;
/** A host by its ending: two letters or more, a Punycode ending, `localhost`, or four numbers. */
const HOST = '(?:(?:[-\\w]+\\.)+(?:[a-z]{2,}|xn--[a-z0-9]+)|localhost|\\d{1,3}(?:\\.\\d{1,3}){3})';
const AFTER_HOST = '(?::\\d+)?(?:[/?#]\\S*)?$';
const URL_ANYWHERE = new RegExp(`(?:https?|ftp)://${HOST}\\S*`, 'i');
const URL_AT_START = new RegExp(`^(?:https?|ftp)://${HOST}`, 'i');
const DOMAIN = new RegExp(`^${HOST}${AFTER_HOST}`, 'i');
const DOMAIN_OF_URL = new RegExp(`^(?:(?:https?|ftp)://)?(?:mailto:)?(?://)?(${HOST})${AFTER_HOST}`, 'i');
const MAIL_HOST = /^(?:\[\d{1,3}(?:\.\d{1,3}){3}\]|(?:[a-z0-9-]+\.)+[a-z]{2,})/i;
const NOT_IN_MAILBOX = /[<>()[\]\\.,;:\s@"]/;

interface Email {
  readonly address: string;
  readonly host: string;
}

/** Finds lines and quotes of a text for places in ascending order, so that each is found only once. */
class Quotes {
  private line = 0;
  private nextBreak: number;
  private quote = -1;

  constructor(private readonly text: string) {
    this.nextBreak = text.indexOf('\n');
  }

  /** The first quote that is on the line of `at`, and not before `floor`. One is there. */
  firstBefore(at: number, floor: number): number {
    while (this.nextBreak >= 0 && this.nextBreak < at) {
      this.line = this.nextBreak + 1;
      this.nextBreak = this.text.indexOf('\n', this.line);
    }
    const from = Math.max(floor, this.line);
    if (this.quote < from) this.quote = this.text.indexOf('"', from);
    return this.quote;
  }
}

/** Start of the mailbox name that ends before the `@` at `at`: dotted words, or a text in quotes; `at` if none. */
function startOfMailbox(text: string, at: number, quotes: Quotes): number {
  const floor = Math.max(0, at - MAX_MAILBOX);
  if (text.charAt(at - 1) === '"') {
    const quote = quotes.firstBefore(at, floor);
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
  const quotes = new Quotes(text);
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const start = startOfMailbox(text, at, quotes);
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
  extractEmail: (_run, self) => findEmail(self)?.address,
  extractUrl: (_run, self) => extractUrl(self),
  extractUrlPath: (_run, self) => extractUrlPath(self),
  isDomain: (_run, self) => self.length <= MAX_LENGTH && DOMAIN.test(self),
  isEmail: (_run, self) => wholeEmail(self) !== undefined,
  isUrl: (_run, self) => self.length <= MAX_LENGTH && !/\s/.test(self) && URL_AT_START.test(self),
});
