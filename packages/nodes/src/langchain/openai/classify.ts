import { isJsonObject, listField } from '@weft/node-catalogue';
import { booleanParameter, textParameter } from '../../shared/read-parameter';
import { postForJson } from './post';
import { optionsOf } from './read-options';
import type { SingleOperation } from './single-operation';

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
  const response = await postForJson(context, {
    path: '/moderations',
    body: { kind: 'json', value },
    itemIndex,
    budget,
  });
  const [result] = listField(response, 'results');
  if (!isJsonObject(result)) return [];
  return [{ json: booleanParameter(context, 'simplify', itemIndex) ? { flagged: result['flagged'] ?? null } : result }];
};
