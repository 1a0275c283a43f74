import { ServiceError } from '../errors';
import type { CallContext } from '../grpc';
import type { RecordAudit } from './audit-entry';

/** Ids and short strings that identify the subject of a call; the response is undefined if it was refused. */
type About<Request, Response> = (request: Request, response: Response | undefined) => Readonly<Record<string, string>>;

const actorOf = ({ principal, service = 'unknown' }: CallContext): string => principal?.userId ?? `service:${service}`;

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
      if (error instanceof ServiceError && error.kind === 'forbidden')
        await record({ action, actor: actorOf(context), about: about(request, undefined), outcome: 'refused' });
      throw error;
    }
    await record({ action, actor: actorOf(context), about: about(request, response) });
    return response;
  };
