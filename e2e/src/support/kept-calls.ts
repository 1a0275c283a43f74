import type { Stack } from '@weft/local-stack';
import { callWebhook, restClient } from './rest';
import { until } from './until';

/**
 * Calls webhooks while executions are away, so that no run can be started and each call is kept as a delivery.
 * @param calls path and body of each
 * @param meanwhile called once they are kept, before any of them can be delivered
 * @returns ids of their deliveries, in this order, once the gateway finds executions again: for some seconds it does
 * not call a service that was away
 */
export const keepCalls = async (
  stack: Stack,
  calls: readonly (readonly [path: string, body: object])[],
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly string[]> => {
  const baseUrl = stack.baseUrls[0] ?? '';
  const executions = stack.of('executions');
  for (const one of executions) one.kill('SIGKILL');
  const answers = await Promise.all(calls.map(([path, body]) => callWebhook(baseUrl, path, body)));
  await meanwhile();
  await Promise.all(executions.map((one) => one.restart()));
  const rest = restClient(baseUrl, stack.apiKey);
  await until('executions are found again', async () => (await rest('GET', '/executions?limit=1')).status === 200);
  return answers.map(({ json }) => String(json.deliveryId));
};
