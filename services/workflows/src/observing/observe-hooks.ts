import { createCounter } from '@weft/service-kit/metrics';
import type { NoteRequest } from '../domain/hooks/hook-requests';

const requests = createCounter({
  name: 'weft_trigger_requests_total',
  help: 'Requests that registered, checked or removed the webhooks of triggers of apps, by outcome.',
  labels: { action: ['register', 'check', 'remove'], outcome: ['answered', 'refused', 'failed'] },
});

/** Counts a request about a hook. */
export const countHookRequest: NoteRequest = (action, outcome) => requests.inc({ action, outcome });
