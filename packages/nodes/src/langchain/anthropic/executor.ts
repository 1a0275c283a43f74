import type { NodeExecutor } from '@weft/engine';
import { conversation, runOperation, type RunOperation, single } from '../vendor/run-operation';
import { analyze } from './analyze';
import { deleteFile, getFile, listFiles, uploadFile } from './files';
import { message } from './message';
import { generatePrompt, improvePrompt, templatizePrompt } from './prompt';

const OPERATIONS: Readonly<Record<string, RunOperation>> = {
  'text message': conversation(message),
  'document analyze': single(analyze('documentUrls', 'application/pdf')),
  'image analyze': single(analyze('imageUrls', 'image/*')),
  'file upload': single(uploadFile),
  'file get': single(getFile),
  'file list': single(listFiles),
  'file deleteFile': single(deleteFile),
  'prompt generate': single(generatePrompt),
  'prompt improve': single(improvePrompt),
  'prompt templatize': single(templatizePrompt),
};

/** Calls the API of Anthropic. */
export const anthropic: NodeExecutor = {
  kind: 'langchain.anthropic',
  actsOutside: true,
  run: (context) => runOperation(context, OPERATIONS),
};
