import { createHash } from 'node:crypto';
import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import { parseJson } from '@weft/service-kit/json';
import { ResumeTokenUnknown } from './errors';
import { wakeWrite } from './free-writes';
import { MAX_RESUME_BYTES } from './limits';
import type { ApplyWrite, Clock, Publish } from './ports';

/** Wakes the execution that waits for a token; answers its id. @throws ResumeTokenUnknown, InvalidRequest */
export type ResumeExecution = (token: string, items: Buffer) => Promise<string>;

/** What resuming needs. */
export interface ResumePorts {
  readonly findByToken: (tokenHash: string) => Promise<{ readonly executionId: string; readonly gen: number } | undefined>;
  readonly apply: ApplyWrite;
  readonly publish: Publish;
  readonly clock: Clock;
}

const MAX_TOKEN_LENGTH = 500;
const NO_ITEMS = Buffer.from('[]');

const checkItems = (items: Buffer): Buffer => {
  if (items.length === 0) return NO_ITEMS;
  if (items.length > MAX_RESUME_BYTES) {
    throw new ServiceError({ reason: 'PAYLOAD_TOO_LARGE', kind: 'too-large', message: `What wakes an execution may have ${MAX_RESUME_BYTES} bytes.` });
  }
  if (!Array.isArray(parseJson(items))) throw new InvalidRequest('The input is not valid.', [{ field: 'input', description: 'Send a JSON array of items.' }]);
  return items;
};

/** Wakes executions by tokens; each token works once. */
export const createResumeExecution =
  ({ findByToken, apply, publish, clock }: ResumePorts): ResumeExecution =>
  async (token, items) => {
    const itemsJson = checkItems(items);
    if (token === '' || token.length > MAX_TOKEN_LENGTH) throw new ResumeTokenUnknown();
    const tokenHash = createHash('sha256').update(token).digest('hex');
    const found = await findByToken(tokenHash);
    if (found === undefined) throw new ResumeTokenUnknown();
    const { verdict } = await apply(found.executionId, wakeWrite({ 'await.tokenHash': tokenHash }, { kind: 'webhook', itemsJson }, new Date(clock())));
    if (verdict !== 'accepted') throw new ResumeTokenUnknown();
    publish(found.executionId, `${found.gen + 1}`);
    return found.executionId;
  };
