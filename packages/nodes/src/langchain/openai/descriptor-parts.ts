import type { ParameterDescriptor } from '@weft/node-catalogue';
import { text } from '../../descriptors/build-parameters';
import { flag, modelLocator } from '../models/descriptor-parts';

/** Parameters that show only for an operation. */
export const of = (
  resource: string,
  operations: readonly string[],
  parameters: readonly ParameterDescriptor[],
): ParameterDescriptor[] =>
  parameters.map((one) => ({
    ...one,
    shownWhen: { resource: [resource], operation: operations, ...one.shownWhen },
  }));

/** The name of the model. */
export const MODEL_ID: ParameterDescriptor = { ...modelLocator(''), name: 'modelId' };

/** Mark of editors for models that cannot call tools. It has no effect: no tools are attached to them. */
export const HIDE_TOOLS: ParameterDescriptor = {
  ...text('hideTools', 'Hide tools'),
  help: 'Stored by editors for models that cannot call tools. It has no effect.',
};

export const SIMPLIFY = (help: string, initial = true): ParameterDescriptor =>
  flag('simplify', 'Simplify output', initial, help);
