import { createBoundedCache } from '../caching';
import { ServiceError } from '../errors';
import type { CallContext, RefusedCall } from '../grpc';
import type { Logger } from '../logging';
import type { RecordAudit } from './audit-entry';

/** Ids and short strings that identify the subject of a call; the response is undefined if it was refused. */
type About<Request, Response> = (request: Request, response: Response | undefined) => Readonly<Record<string, string>>;

const actorOf = ({ principal, service = 'unknown' }: CallContext): string => principal?.userId ?? `service:${service}`;

/** Errors of refused calls that have a record. */
const recorded = new WeakSet<ServiceError>();

/**
 * Records calls of a handler: successful calls before their response is sent, and calls refused for lack of permission.
 * A response means that its record is stored.
 */
export const audited =
  <Request, Response>(
    record: RecordAudit,
    action: string,
    about: About<Request, Response>,
    handler: (request: Request, context: CallContext) => Promise<Response>,
  ) =>
  async (request: Request, context: CallContext): Promise<Response> => {
    let response: Response;
    try {
      response = await handler(request, context);
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'forbidden') {
        await record({ action, actor: actorOf(context), about: about(request, undefined), outcome: 'refused' });
        recorded.add(error);
      }
      throw error;
    }
    await record({ action, actor: actorOf(context), about: about(request, response) });
    return response;
  };

/** Like `audited`, but only for calls of users: runs make far more, and are recorded as executions. */
export const auditedForUsers = <Request, Response>(
  record: RecordAudit,
  action: string,
  about: About<Request, Response>,
  handler: (request: Request, context: CallContext) => Promise<Response>,
): ((request: Request, context: CallContext) => Promise<Response>) => {
  const withRecord = audited(record, action, about, handler);
  return (request, context) =>
    context.principal === undefined || context.principal.inRun === true
      ? handler(request, context)
      : withRecord(request, context);
};

const HOUR_MS = 3_600_000;
const MAX_KNOWN = 10_000;

/**
 * Records that a user was refused a call for lack of rights, by role or by the rules of the service: once an hour for
 * each user and method, so that a program that keeps trying does not drown out other records. A failure to record
 * still refuses the call.
 */
export const createRecordRefusal = (
  record: RecordAudit,
  logger: Logger,
  clock: () => number = Date.now,
): ((refused: RefusedCall) => Promise<void>) => {
  const known = createBoundedCache<string, true>({ maxEntries: MAX_KNOWN });
  return async function recordRefusal({ principal, method, error }) {
    const id = `refused:${Math.floor(clock() / HOUR_MS)}:${principal.userId}:${method}`;
    if (recorded.has(error) || known.get(id) !== undefined) return;
    known.set(id, true);
    try {
      const about = { method: method.slice(1), reason: error.reason, ...error.details };
      await record({ id, action: 'call.refused', actor: principal.userId, about, outcome: 'refused' });
    } catch (failure) {
      known.delete(id);
      logger.warn({ err: failure }, 'a refused call could not be recorded in the audit log');
    }
  };
};
