import { isJsonObject, listField } from '@weft/node-catalogue';
import { booleanParameter, textParameter } from '../../shared/read-parameter';
import { optionsOf } from '../vendor/read-parameters';
import { requestJson } from '../vendor/service';
import type { SingleOperation } from '../vendor/single-operation';
import { OPENAI } from './openai-service';

/** The first version with the newer model. */
const OMNI_SINCE = 2.1;

/** Asks whether a text violates the rules of the service. */
export const classify: SingleOperation = async (context, itemIndex, budget) => {
  const isStable = optionsOf(context, itemIndex)['useStableModel'] === true;
  const older = isStable ? 'text-moderation-stable' : 'text-moderation-latest';
  const value = {
    input: textParameter(context, 'input', itemIndex),
    model: context.version >= OMNI_SINCE ? 'omni-moderation-latest' : older,
  };
  const response = await requestJson(context, OPENAI, {
    path: '/moderations',
    body: { kind: 'json', value },
    itemIndex,
    budget,
  });
  const [result] = listField(response, 'results');
  if (!isJsonObject(result)) return [];
  return [{ json: booleanParameter(context, 'simplify', itemIndex) ? { flagged: result['flagged'] ?? null } : result }];
};
