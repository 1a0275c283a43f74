import type { IncomingMessage } from 'node:http';

/** The value of a cookie of a request, as it was sent; undefined if there is none of that name. */
export const readCookie = ({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | undefined =>
  (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);
