import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { MAX_BATCH, type SubscriptionSettings } from './subscription';

const MAX_NAME_LENGTH = 100;
const MAX_URL_LENGTH = 2_000;
const MAX_WORKFLOWS = 100;

const urlError = (text: string): string | undefined => {
  if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters.`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'must be an http or https URL.';
  if (url.username !== '' || url.password !== '')
    return 'must not contain a user or password: use a credential of type webhookSignature.';
  return undefined;
};

const nameError = (name: string): string | undefined =>
  name.trim() === '' || name.length > MAX_NAME_LENGTH ? `must have 1 to ${MAX_NAME_LENGTH} characters.` : undefined;

const batchError = (batch: number): string | undefined =>
  batch < 1 || batch > MAX_BATCH ? `must be between 1 and ${MAX_BATCH}.` : undefined;

const workflowsError = (ids: readonly string[] = []): string | undefined => {
  if (ids.length > MAX_WORKFLOWS) return `must have at most ${MAX_WORKFLOWS} entries.`;
  return ids.every(isUuid) ? undefined : 'must contain ids of workflows.';
};

/** Checks what users set. Whether the URL may be called is checked whenever it is. @throws InvalidRequest */
export const checkSettings = ({ name, url, batch, workflowIds }: SubscriptionSettings): void => {
  const errors: FieldError[] = [];
  const check = (field: string, message: string | undefined): void => {
    if (message !== undefined) errors.push({ field, message });
  };
  check('name', nameError(name));
  check('url', urlError(url));
  check('batch', batchError(batch));
  check('workflowIds', workflowsError(workflowIds));
  if (errors.length > 0) throw new InvalidRequest('The subscription is not valid.', errors);
};
