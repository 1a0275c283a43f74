import { type NodeExecutor, NodeFailure, type OutputParser, type SupplyContext } from '@weft/engine';
import { textParameter } from '../../../shared/read-parameter';
import { FIX_PROMPT } from '../descriptor-texts';
import { fixerOf, readOrFix } from '../fix-answer';
import { recordedParser } from '../recorded-parser';
import { subNodeOnly } from '../sub-node-only';

/** Provides the parser that is attached to it, with one correction of answers that do not fit. */
export const outputParserAutofixing: NodeExecutor = {
  kind: 'langchain.outputParserAutofixing',
  actsOutside: false,
  run: subNodeOnly,
  supplies: { ai_outputParser: supply },
};

async function supply(context: SupplyContext): Promise<OutputParser> {
  const { itemIndex } = context;
  const [supplied] = await context.attached('ai_outputParser', itemIndex);
  if (supplied === undefined)
    throw new NodeFailure(`"${context.node.name}" has no parser`, {
      itemIndex,
      description: 'Connect an output parser to its input "Output parser".',
    });
  const inner = supplied.handle;
  const prompt = textParameter(context, 'options.prompt', itemIndex, FIX_PROMPT);
  const fixer = await fixerOf(context, prompt, 'Prompt for corrections');
  return recordedParser(context, {
    ...inner,
    read: (text) => readOrFix(text, inner.parse, { ...fixer, form: inner }),
  });
}
