import { messageOf, NodeFailure } from '@weft/engine';
import { DatabaseFailed, OutboundError, type QueryBounds, QueryTooLarge } from '@weft/outbound';
import { type Limit, LIMITS } from '@weft/service-kit/limits';

/** Query timeout in milliseconds. */
const QUERY_MS = 300_000;
const MAX_CONNECT_MS = 60_000;

/** The connection timeout: a whole number of milliseconds of at most one minute. */
export const connectMsOf = (ms: number): number => Math.min(Math.max(Math.trunc(ms), 1), MAX_CONNECT_MS);

/** Limits of a session, with the connection timeout `ms` of at most one minute. */
export function boundsOf(ms: number): QueryBounds {
  return {
    connectMs: connectMsOf(ms),
    queryMs: QUERY_MS,
    maxRows: LIMITS.queryRows.max,
    maxBytes: LIMITS.queryResult.max,
  };
}

/** Awaits a session that is being opened. @throws NodeFailure if that fails */
export async function openedSession<Session>(opening: Promise<Session>): Promise<Session> {
  try {
    return await opening;
  } catch (thrown) {
    throw databaseFailure(thrown);
  }
}

/** Converts an error of a database or its connection to a failure of the node. */
export function databaseFailure(thrown: unknown, itemIndex?: number): NodeFailure {
  const at = itemIndex === undefined ? {} : { itemIndex };
  if (thrown instanceof NodeFailure) return thrown;
  if (thrown instanceof QueryTooLarge)
    return new NodeFailure(`The result of the query exceeds the limit of ${limitOf(thrown)}.`, {
      ...at,
      description: 'Request less data at once: add a limit or a condition, or select columns.',
      cause: thrown,
    });
  if (thrown instanceof DatabaseFailed)
    return new NodeFailure(thrown.message, {
      ...at,
      ...(thrown.detail === undefined ? {} : { description: thrown.detail }),
      context: { code: thrown.code },
      cause: thrown,
    });
  const context = thrown instanceof OutboundError ? { context: { code: thrown.systemCode ?? thrown.code } } : {};
  return new NodeFailure(messageOf(thrown), { ...at, ...context, cause: thrown });
}

function limitOf({ exceeded }: QueryTooLarge): string {
  const shown = ({ max, name }: Limit, unit: string): string => `${max.toLocaleString('en-US')} ${unit} (${name})`;
  return exceeded === 'rows' ? shown(LIMITS.queryRows, 'rows') : shown(LIMITS.queryResult, 'bytes');
}
