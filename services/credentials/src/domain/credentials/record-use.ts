import { createBoundedCache } from '@weft/service-kit/caching';
import type { RecordAudit } from '../audit';

/** One use of a credential. */
export interface Use {
  readonly credentialId: string;
  /** Absent if the caller does not report it. */
  readonly workflowId?: string;
  readonly ownerId: string;
  /** `service:<name>`. */
  readonly actor: string;
  /** Distinguishes uses of a credential within a workflow: the node, or the authentication of a webhook. */
  readonly by: Readonly<Record<string, string>>;
  /** Details of the first use in an hour. */
  readonly first?: Readonly<Record<string, string>>;
}

/** Records a use; resolves when the record is stored. */
export type RecordUse = (use: Use) => Promise<void>;

const HOUR_MS = 3_600_000;
const MAX_KNOWN = 10_000;
const MAX_TEXT = 100;

/**
 * Stores one record per hour, credential, workflow and node, however many executions there are: a record for each run
 * would drown out all others. The record shows the first use of the hour.
 */
export const createRecordUse = (recordAudit: RecordAudit, clock: () => Date): RecordUse => {
  // Only records stored by this replica; a record that another replica stored first stays unchanged.
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
