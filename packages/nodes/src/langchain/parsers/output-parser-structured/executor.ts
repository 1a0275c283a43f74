import type { NodeExecutor, OutputParser, SupplyContext } from '@weft/engine';
import { booleanParameter, textParameter } from '../../../shared/read-parameter';
import { answerFormOf } from '../answer-form';
import { FIX_PROMPT } from '../descriptor-texts';
import { fixerOf, readOrFix } from '../fix-answer';
import { recordedParser } from '../recorded-parser';
import { subNodeOnly } from '../sub-node-only';
import { userSchemaOf } from '../user-schema';
import { envelopeOf } from './envelope';

/** Provides a parser for the form that an example or a JSON Schema gives. */
export const outputParserStructured: NodeExecutor = {
  kind: 'langchain.outputParserStructured',
  actsOutside: false,
  run: subNodeOnly,
  supplies: { ai_outputParser: supply },
};

async function supply(context: SupplyContext): Promise<OutputParser> {
  const { itemIndex, version } = context;
  const { schema, place } = userSchemaOf(
    context,
    itemIndex,
    version < 1.2 ? { manual: 'jsonSchema' } : { allRequired: version >= 1.3 },
  );
  const form = answerFormOf(schema, place, envelopeOf(version));
  const parser = recordedParser(context, form);
  if (!booleanParameter(context, 'autoFix', itemIndex)) return parser;
  const custom = booleanParameter(context, 'customizeRetryPrompt', itemIndex);
  const prompt = custom ? textParameter(context, 'prompt', itemIndex, FIX_PROMPT) : FIX_PROMPT;
  const fixer = await fixerOf(context, prompt, 'Prompt for corrections');
  return { ...parser, parse: (text) => readOrFix(text, parser.parse, { ...fixer, form }) };
}
