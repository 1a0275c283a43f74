import type { NodeExecutor } from '@weft/engine';
import { conversation, runOperation, type RunOperation, single } from '../vendor/run-operation';
import { generateAudio, transcribe, translate } from './audio';
import { classify } from './classify';
import { createConversation, deleteConversation, getConversation, updateConversation } from './conversations';
import { deleteFile, listFiles, uploadFile } from './files';
import { analyzeImage, generateImage } from './image';
import { message } from './message';
import { response } from './response';

const OPERATIONS: Readonly<Record<string, RunOperation>> = {
  'text message': conversation(message),
  'text response': conversation(response),
  'text classify': single(classify),
  'image analyze': single(analyzeImage),
  'image generate': single(generateImage),
  'audio transcribe': single(transcribe),
  'audio translate': single(translate),
  'audio generate': single(generateAudio),
  'file upload': single(uploadFile),
  'file list': single(listFiles),
  'file deleteFile': single(deleteFile),
  'conversation create': single(createConversation),
  'conversation get': single(getConversation),
  'conversation update': single(updateConversation),
  'conversation remove': single(deleteConversation),
};

/** Calls OpenAI, or a server with the same API. */
export const openAi: NodeExecutor = {
  kind: 'langchain.openAi',
  actsOutside: true,
  run: (context) => runOperation(context, OPERATIONS),
};
