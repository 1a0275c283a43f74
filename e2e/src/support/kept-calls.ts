import type { Stack } from '@weft/local-stack';
import { callWebhook } from './rest';

/**
 * Calls webhooks while executions are away, so that no run can be started and each call is kept as a delivery.
 * @param calls path and body of each
 * @returns ids of their deliveries, in this order, once the processes run again
 */
export const keepCalls = async (
  stack: Stack,
  calls: readonly (readonly [path: string, body: object])[],
): Promise<readonly string[]> => {
  const executions = stack.of('executions');
  for (const one of executions) one.kill('SIGKILL');
  const answers = await Promise.all(calls.map(([path, body]) => callWebhook(stack.baseUrls[0] ?? '', path, body)));
  await Promise.all(executions.map((one) => one.restart()));
  return answers.map(({ json }) => String(json.error?.details?.['deliveryId']));
};
