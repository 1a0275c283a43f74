/** Maximum characters of a message in a log line. */
const MAX_LENGTH = 300;

const CENSOR = '[redacted]';

/** User and query of an address: tokens and personal data travel there. */
const ADDRESS_USER = /(\b[a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#@"']{1,200}@/gi;
const ADDRESS_QUERY = /(\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s?#"'<>]{1,500})[?#][^\s"'<>]{1,4000}/gi;
const SCHEME = /\b(bearer|basic) [\w.~+/=-]{4,4000}/gi;
const NAMED =
  /\b([\w-]{0,40}(?:password|passwd|authorization|cookie|token|secret|key))(["']?[:=] ?["']?)[^\s"',;&}]{1,4000}/gi;

/**
 * The message of a failed run as a log line shows it: one line, bounded, without what looks like a secret. The runner
 * has already masked the values of credentials; this covers secrets that a workflow holds elsewhere.
 */
export const shownMessage = (message: string): string => {
  const line = message
    .slice(0, 20 * MAX_LENGTH)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(SCHEME, `$1 ${CENSOR}`)
    .replace(NAMED, `$1$2${CENSOR}`)
    .replace(ADDRESS_USER, `$1${CENSOR}@`)
    .replace(ADDRESS_QUERY, `$1?${CENSOR}`);
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
};
