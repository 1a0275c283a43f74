import type { Json } from '@weft/service-kit/json-values';
import { modelSettingsErrors, modelSettingsOf } from './models';

const fieldsOf = (models: Json): string[] => modelSettingsErrors({ settings: { models } }).map(({ field }) => field);

describe('settings.models', () => {
  it('has limits on tokens and cost', () => {
    expect(modelSettingsOf({ maxTokens: 5, maxCost: 0.5 })).toEqual({ maxTokens: 5, maxCost: 0.5 });
    expect(fieldsOf({ maxTokens: 5, maxCost: 0.5 })).toEqual([]);
    expect(fieldsOf({ maxTokens: null })).toEqual([]);
  });

  it.each<readonly [Json, readonly string[]]>([
    ['x', ['settings.models']],
    [[], ['settings.models']],
    [{ maxToken: 5 }, ['settings.models.maxToken']],
    [{ maxTokens: '5', maxCost: '1' }, ['settings.models.maxTokens', 'settings.models.maxCost']],
    [{ maxTokens: 0, maxCost: 0 }, ['settings.models.maxTokens', 'settings.models.maxCost']],
    [{ maxTokens: 1.5, maxCost: -1 }, ['settings.models.maxTokens', 'settings.models.maxCost']],
  ])('refuses %j, which sets no limit', (models, fields) => {
    expect(fieldsOf(models)).toEqual(fields);
    expect(modelSettingsOf(models)).toEqual({});
  });
});
