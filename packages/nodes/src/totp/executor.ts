import type { JsonObject } from '@weft/node-catalogue';
import { textField } from '@weft/node-catalogue';
import { type NodeContext, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { mapItems, pairedWith } from '../shared/each-item';
import { choiceParameter, numberParameter } from '../shared/read-parameter';
import { HASH_NAMES, oneTimePassword, readBase32, secondsRemaining } from './one-time-password';

const MAX_DIGITS = 10;
const MAX_PERIOD_S = 86_400;

/** Generates one code for all items of a run, by the parameters of the first. */
export const totp: NodeExecutor = {
  kind: 'totp',
  actsOutside: false,
  run: async (context) => {
    choiceParameter(context, 'operation', 0, ['generateSecret']);
    const code = await codeFor(context);
    return output((await mapItems(context, (_, index) => pairedWith(index, [{ json: { ...code } }]))).flat());
  },
};

async function codeFor(context: NodeContext): Promise<JsonObject> {
  const credential = await context.credential('totpApi');
  const label = textField(credential, 'label') ?? '';
  if (label !== '' && !label.includes(':'))
    throw new NodeFailure('The label of the credential must have the form "issuer:username".');
  const options = {
    algorithm: choiceParameter(context, 'options.algorithm', 0, HASH_NAMES),
    digits: integerIn(context, 'options.digits', MAX_DIGITS),
    period: integerIn(context, 'options.period', MAX_PERIOD_S),
  };
  const key = readBase32(textField(credential, 'secret') ?? '');
  const now = context.ports.clock.now();
  return { token: oneTimePassword(key, now, options), secondsRemaining: secondsRemaining(now, options.period) };
}

/** A parameter as an integer from 1; 0 and an empty value mean the default. */
function integerIn(context: NodeContext, path: string, max: number): number {
  const given = numberParameter(context, path, 0);
  const value = given === 0 ? Number(context.defaultOf(path)) : given;
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new NodeFailure(`The parameter "${path}" must be an integer from 1 to ${max}, but it is ${value}`);
}
