import { readPrompts, type Roles } from '../vendor/read-prompts';
import type { TextOperation } from '../vendor/text-operation';
import { itemOfResponse, ollamaModel, settingsOf, systemOf } from './ollama-service';

/** Answers of the model that may call tools. */
const ROUNDS = 15;
const ROLES: Roles = { user: 'user', assistant: 'assistant' };

/** Asks a model, which may call the attached tools. */
export const message: TextOperation = {
  read: (context, itemIndex) =>
    Promise.resolve({
      choice: ollamaModel(context, itemIndex),
      messages: [...systemOf(context, itemIndex), ...readPrompts(context, ROLES, itemIndex)],
      settings: settingsOf(context, itemIndex),
      rounds: ROUNDS,
    }),
  itemsOf: (raw, context, itemIndex) => [itemOfResponse(context, itemIndex, raw)],
};
