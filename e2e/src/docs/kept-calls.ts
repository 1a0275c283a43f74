import type { Stack } from '@weft/local-stack';
import { callWebhook, restClient, textOf } from '../support/rest';
import { until } from '../support/until';
import { smallWorkflow } from '../support/workflows';

/** How many calls are sent while nothing can be started. */
const CALLS = 60;

/**
 * Makes deliveries: calls of a webhook while executions is away. A request alone can make none.
 * @returns their ids, once runs can be started again
 */
export const makeDeliveries = async (stack: Stack): Promise<readonly string[]> => {
  const baseUrl = stack.baseUrls[0] ?? '';
  const rest = restClient(baseUrl, stack.apiKey);
  const workflow = textOf(await rest('POST', '/workflows', { ...smallWorkflow('kept-calls'), active: true }), 'id');
  const executions = stack.of('executions');
  for (const one of executions) one.kill('SIGKILL');
  const calls = Array.from({ length: CALLS }, (_, n) => callWebhook(baseUrl, 'kept-calls', { n }));
  const ids = (await Promise.all(calls)).map(({ json }) => String(json.error?.details?.['deliveryId']));
  await Promise.all(executions.map((one) => one.restart()));
  await until('a run can be started', async () => {
    const { status } = await rest('POST', `/workflows/${workflow}/execute`, {});
    return status === 201;
  });
  return ids;
};
