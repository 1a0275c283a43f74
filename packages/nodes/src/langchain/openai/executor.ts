import { type NodeContext, type NodeExecutor, NodeFailure, type NodeResult } from '@weft/engine';
import { textParameter } from '../../shared/read-parameter';
import { generateAudio, transcribe, translate } from './audio';
import { classify } from './classify';
import { analyzeImage, generateImage } from './image';
import { message } from './message';
import { response } from './response';
import { runSingleOperation, type SingleOperation } from './single-operation';
import { runTextOperation } from './text-operation';

type RunOperation = (context: NodeContext) => Promise<NodeResult>;

const single =
  (operation: SingleOperation): RunOperation =>
  (context) =>
    runSingleOperation(context, operation);

/** Operations by resource and name. */
const OPERATIONS: Readonly<Record<string, RunOperation>> = {
  'text message': (context) => runTextOperation(context, message),
  'text response': (context) => runTextOperation(context, response),
  'text classify': single(classify),
  'image analyze': single(analyzeImage),
  'image generate': single(generateImage),
  'audio transcribe': single(transcribe),
  'audio translate': single(translate),
  'audio generate': single(generateAudio),
};

/** Calls OpenAI, or a server with the same API. */
export const openAi: NodeExecutor = {
  kind: 'langchain.openAi',
  actsOutside: true,
  run: (context) => {
    const name = `${textParameter(context, 'resource', 0)} ${textParameter(context, 'operation', 0)}`;
    const run = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
    if (run === undefined) throw new NodeFailure(`The operation "${name}" is not supported`);
    return run(context);
  },
};
