import { ServiceError } from '@weft/service-kit/errors';
import { MAX_RUNNING } from './backfill';

/** There is no such backfill, or it is long over. */
export class BackfillNotFound extends ServiceError {
  constructor(backfillId: string) {
    const shown = backfillId.slice(0, 100);
    super({
      reason: 'BACKFILL_NOT_FOUND',
      kind: 'not-found',
      message: `No backfill has the id ${shown}.`,
      details: { backfillId: shown },
    });
  }
}

/** As many backfills of the workflow are under way as there may be. */
export class TooManyBackfills extends ServiceError {
  constructor(workflowId: string) {
    super({
      reason: 'TOO_MANY_BACKFILLS',
      kind: 'precondition',
      message:
        `${MAX_RUNNING} backfills of this workflow are under way already. Wait until one is done, or cancel ` + 'one.',
      details: { workflowId, limit: String(MAX_RUNNING) },
    });
  }
}
