import type { NodeContext } from '@weft/engine';
import { numberField, textField } from '@weft/node-catalogue';
import { textParameter } from '../../shared/read-parameter';
import type { Part } from '../../shared/http/settings';
import { optionsOf, promptOf } from '../vendor/read-parameters';
import { requestJson, requestService } from '../vendor/service';
import type { SingleOperation } from '../vendor/single-operation';
import { storedItem } from '../vendor/stored-item';
import { OPENAI } from './openai-service';

const MODEL = 'whisper-1';

/** Sends a recording, and gives its text. */
const textOfRecording =
  (path: string): SingleOperation =>
  async (context, itemIndex, budget) => {
    const options = optionsOf(context, itemIndex);
    const language = textField(options, 'language') ?? '';
    const temperature = numberField(options, 'temperature') ?? 0;
    const parts: Part[] = [
      { name: 'model', value: MODEL },
      ...(language === '' ? [] : [{ name: 'language', value: language }]),
      ...(temperature === 0 ? [] : [{ name: 'temperature', value: temperature }]),
      filePart(context, itemIndex),
    ];
    const json = await requestJson(context, OPENAI, { path, body: { kind: 'multipart', parts }, itemIndex, budget });
    return [{ json }];
  };

/** The service finds the format of a recording by the end of its name. */
function filePart(context: NodeContext, itemIndex: number): Part {
  const file = textParameter(context, 'binaryPropertyName', itemIndex);
  const binary = context.items[itemIndex]?.binary ?? {};
  const reference = Object.hasOwn(binary, file) ? binary[file] : undefined;
  const ending = reference?.fileName === undefined ? reference?.fileExtension : undefined;
  return { name: 'file', file, ...(ending === undefined ? {} : { fileName: `audio.${ending}` }) };
}

/** The text of a recording in its language. */
export const transcribe = textOfRecording('/audio/transcriptions');
/** The text of a recording in English. */
export const translate = textOfRecording('/audio/translations');

/** Speaks a text. */
export const generateAudio: SingleOperation = async (context, itemIndex, budget) => {
  const options = optionsOf(context, itemIndex);
  const format = textField(options, 'response_format') || 'mp3';
  const value = {
    model: textParameter(context, 'model', itemIndex),
    input: promptOf(context, 'input', itemIndex),
    voice: textParameter(context, 'voice', itemIndex),
    response_format: format,
    speed: numberField(options, 'speed') || 1,
  };
  const { body: bytes } = await requestService(context, OPENAI, {
    path: '/audio/speech',
    body: { kind: 'json', value },
    itemIndex,
    budget,
  });
  const property = textField(options, 'binaryPropertyOutput') || 'data';
  return [await storedItem(context, bytes, property, `audio.${format}`, `audio/${format}`)];
};
