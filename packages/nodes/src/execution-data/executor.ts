import { type NodeExecutor, output, putCustomData } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { eachItem } from '../shared/each-item';
import { objectsParameter } from '../shared/read-parameter';

/** Passes every item on, and records custom data for the execution, which makes it searchable. */
export const executionData: NodeExecutor = {
  kind: 'executionData',
  actsOutside: false,
  run: async (context) =>
    output(
      await eachItem(context, (item, index) => {
        for (const { key, value } of objectsParameter(context, 'dataToSave.values', index)) {
          if (value !== undefined && value !== null) putCustomData(context.runMemory, textOf(key), textOf(value));
        }
        return [item];
      }),
    ),
};

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const json = toJson(value);
  if (json === undefined || json === null) return '';
  return typeof json === 'object' ? JSON.stringify(json) : String(json);
}
