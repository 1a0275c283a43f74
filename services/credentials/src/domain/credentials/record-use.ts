import { createBoundedCache } from '@weft/service-kit/caching';
import type { RecordAudit } from '../audit';

/** One use of a credential. */
export interface Use {
  readonly credentialId: string;
  /** Absent if the caller does not tell it. */
  readonly workflowId?: string;
  readonly ownerId: string;
  /** `service:<name>`. */
  readonly actor: string;
  /** What tells the uses of a credential in a workflow apart: the node, or the authentication of a webhook. */
  readonly by: Readonly<Record<string, string>>;
  /** Shown of the first use in an hour. */
  readonly first?: Readonly<Record<string, string>>;
}

/** Records a use; resolves when the record is stored. */
export type RecordUse = (use: Use) => Promise<void>;

const HOUR_MS = 3_600_000;
const MAX_KNOWN = 10_000;
const MAX_TEXT = 100;

/**
 * One record for each hour, credential, workflow and node, whatever the number of executions: uses come at the rate of
 * runs, and a record for each would bury all others. The first use of an hour is the one that is shown.
 */
export const createRecordUse = (recordAudit: RecordAudit, clock: () => Date): RecordUse => {
  // Of what this replica has stored; a record that another one stored first stays as it is.
  const known = createBoundedCache<string, true>({ maxEntries: MAX_KNOWN });
  return async function recordUse({ credentialId, workflowId = '', ownerId, actor, by, first = {} }) {
    const hour = Math.floor(clock().getTime() / HOUR_MS);
    const short = Object.fromEntries(Object.entries(by).map(([name, text]) => [name, text.slice(0, MAX_TEXT)]));
    const id = `use:${hour}:${credentialId}:${workflowId}:${JSON.stringify(short)}`;
    if (known.get(id) !== undefined) return;
    const about = { credentialId, ...(workflowId === '' ? {} : { workflowId }), ownerId, ...short, ...first };
    await recordAudit({ id, action: 'credential.use', actor, about });
    known.set(id, true);
  };
};
