import type { JsonObject } from '@weft/node-catalogue';
import type { ModelChoice } from '../vendor/call-model';
import type { Service } from '../vendor/service';

const CREDENTIAL = 'googlePalmApi';

/** The Gemini API. */
export const GEMINI: Service = {
  credentialType: CREDENTIAL,
  addressField: 'host',
  address: 'https://generativelanguage.googleapis.com',
};

/** A model as a chat model node would choose it. @param model with or without its prefix `models/` */
export const geminiModel = (model: string): ModelChoice => ({
  node: { kind: 'lmChatGoogleGemini', typeVersion: 1, parameters: { modelName: model, options: {} } },
  credentialType: CREDENTIAL,
});

/** The path of a call of a model. */
export const modelPath = (model: string, method: string): string => {
  const whole = model.includes('/') ? model : `models/${model}`;
  return `/v1beta/${whole.split('/').map(encodeURIComponent).join('/')}:${method}`;
};

/** Items of a response: one for each candidate, or the whole response. */
export const itemsOfResponse = (
  raw: JsonObject,
  candidates: readonly JsonObject[],
  simplifies: boolean,
): JsonObject[] => (simplifies ? [...candidates] : [{ ...raw, candidates: [...candidates] }]);
