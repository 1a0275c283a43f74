import { isJsonObject, type Json } from '@weft/service-kit/json-values';
import type { DefinitionError, WorkflowDefinition } from '../definition';

/** Limits on the models of one execution. Fields that are absent, or not valid, set no limit. */
export interface ModelSettings {
  readonly maxTokens?: number;
  /** In the currency of the prices of the instance. */
  readonly maxCost?: number;
}

const NAMES = ['maxTokens', 'maxCost'] as const;

const EXAMPLE = '{ "maxTokens": 100000, "maxCost": 0.5 }';

const isAmount = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0;

const isCount = (value: Json | undefined): value is number => isAmount(value) && Number.isInteger(value);

/** `settings.models`: `checkDefinition` reports its errors. */
export function modelSettingsOf(models: Json | undefined): ModelSettings {
  if (!isJsonObject(models)) return {};
  const { maxTokens, maxCost } = models;
  return { ...(isCount(maxTokens) ? { maxTokens } : {}), ...(isAmount(maxCost) ? { maxCost } : {}) };
}

/** Errors of `settings.models`. */
export function modelSettingsErrors({ settings }: Pick<WorkflowDefinition, 'settings'>): DefinitionError[] {
  const { models } = settings;
  if (models === undefined || models === null) return [];
  if (!isJsonObject(models))
    return [{ field: 'settings.models', message: `settings.models must be an object, for example ${EXAMPLE}.` }];
  const errors: DefinitionError[] = Object.keys(models)
    .filter((name) => !NAMES.some((known) => known === name))
    .map((name) => ({
      field: `settings.models.${name.slice(0, 100)}`,
      message: `is not a known field. Use: ${NAMES.join(', ')}.`,
    }));
  const { maxTokens, maxCost } = models;
  if (maxTokens !== undefined && maxTokens !== null && !isCount(maxTokens))
    errors.push({ field: 'settings.models.maxTokens', message: 'must be an integer above 0.' });
  if (maxCost !== undefined && maxCost !== null && !isAmount(maxCost))
    errors.push({ field: 'settings.models.maxCost', message: 'must be a number above 0.' });
  return errors;
}
