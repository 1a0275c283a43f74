import type { Stack } from '@weft/local-stack';
import { keepCalls } from '../support/kept-calls';
import { restClient, textOf } from '../support/rest';
import { until } from '../support/until';
import { smallWorkflow } from '../support/workflows';

/** How many calls are sent while nothing can be started. */
const CALLS = 60;

/**
 * Makes deliveries: calls a webhook while executions is down. No single request can make one.
 * @returns their ids, once runs can be started again
 */
export const makeDeliveries = async (stack: Stack): Promise<readonly string[]> => {
  const baseUrl = stack.baseUrls[0] ?? '';
  const rest = restClient(baseUrl, stack.apiKey);
  const workflow = textOf(await rest('POST', '/workflows', { ...smallWorkflow('kept-calls'), active: true }), 'id');
  const ids = await keepCalls(
    stack,
    Array.from({ length: CALLS }, (_, n) => ['kept-calls', { n }] as const),
  );
  await until('a run can be started', async () => {
    const { status } = await rest('POST', `/workflows/${workflow}/execute`, {});
    return status === 201;
  });
  return ids;
};
