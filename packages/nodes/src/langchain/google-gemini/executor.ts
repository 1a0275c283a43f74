import type { NodeExecutor } from '@weft/engine';
import { conversation, runOperation, type RunOperation, single } from '../vendor/run-operation';
import { analyze, transcribe } from './analyze';
import { downloadVideo, editImage, generateImage, generateVideo } from './make-media';
import { message } from './message';
import { uploadFile } from './upload';

const OPERATIONS: Readonly<Record<string, RunOperation>> = {
  'text message': conversation(message),
  'audio analyze': single(analyze({ addresses: 'audioUrls', mimeType: 'audio/mpeg' })),
  'audio transcribe': single(transcribe),
  'document analyze': single(analyze({ addresses: 'documentUrls', mimeType: 'application/pdf' })),
  'file upload': single(async (context, itemIndex, budget) => [
    { json: { ...(await uploadFile(context, { itemIndex, budget })) } },
  ]),
  'image analyze': single(analyze({ addresses: 'imageUrls', mimeType: 'image/png' })),
  'image edit': single(editImage),
  'image generate': single(generateImage),
  'video analyze': single(analyze({ addresses: 'videoUrls', mimeType: 'video/mp4' })),
  'video download': single(downloadVideo),
  'video generate': single(generateVideo),
};

/** Calls the Gemini API. */
export const googleGemini: NodeExecutor = {
  kind: 'langchain.googleGemini',
  actsOutside: true,
  run: (context) => runOperation(context, OPERATIONS),
};
