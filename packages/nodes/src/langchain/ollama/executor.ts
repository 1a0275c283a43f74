import type { NodeExecutor } from '@weft/engine';
import { conversation, runOperation, type RunOperation, single } from '../vendor/run-operation';
import { analyze } from './analyze';
import { message } from './message';

const OPERATIONS: Readonly<Record<string, RunOperation>> = {
  'text message': conversation(message),
  'image analyze': single(analyze),
};

/** Calls a server of Ollama. */
export const ollama: NodeExecutor = {
  kind: 'langchain.ollama',
  actsOutside: true,
  run: (context) => runOperation(context, OPERATIONS),
};
