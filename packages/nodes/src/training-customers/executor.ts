import type { JsonObject } from '@weft/node-catalogue';
import { type NodeContext, type NodeExecutor, output } from '@weft/engine';
import { eachItem } from '../shared/each-item';
import { booleanParameter, choiceParameter, numberParameter, textParameter } from '../shared/read-parameter';
import { CUSTOMERS } from './customers';

/** Outputs fictional customers for each item. */
export const n8nTrainingCustomerDatastore: NodeExecutor = {
  kind: 'n8nTrainingCustomerDatastore',
  actsOutside: false,
  run: async (context) =>
    output(await eachItem(context, (_, index) => customersFor(context, index).map((json) => ({ json: { ...json } })))),
};

/** Outputs the message that it would send, for each item. */
export const n8nTrainingCustomerMessenger: NodeExecutor = {
  kind: 'n8nTrainingCustomerMessenger',
  actsOutside: false,
  run: async (context) =>
    output(
      await eachItem(context, (_, index) => {
        const [id, message] = [textParameter(context, 'customerId', index), textParameter(context, 'message', index)];
        return [{ json: { output: `Sent message to customer ${id}:  ${message}` } }];
      }),
    ),
};

function customersFor(context: NodeContext, index: number): readonly JsonObject[] {
  if (choiceParameter(context, 'operation', 0, ['getOnePerson', 'getAllPeople']) === 'getOnePerson')
    return CUSTOMERS.slice(0, 1);
  if (booleanParameter(context, 'returnAll', index)) return CUSTOMERS;
  return CUSTOMERS.slice(0, Math.max(0, Math.floor(numberParameter(context, 'limit', index))));
}
