import {
  type HttpResponse,
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  type NodeResult,
  output,
} from '@weft/engine';
import { choiceParameter, textParameter } from '../shared/read-parameter';
import { formAnswer } from './form-answer';
import { lookOf } from './form-look';
import { afterPage, waitForPage } from './page-wait';

const ENDS = ['text', 'redirect', 'showText', 'returnBinary'] as const;
const EVERYBODY = { authentication: 'none', credentialId: '', ipWhitelist: [], ignoreBots: false };

/**
 * Shows a further page to the person who submitted the form that started the run, and outputs the submitted values; or
 * ends the form, and passes its items on.
 */
export const form: NodeExecutor = {
  kind: 'form',
  actsOutside: true,
  run: (context) => {
    if (!context.hasUpstream('formTrigger')) {
      throw new NodeFailure('Form Trigger node must be set before this node', {
        description: 'Begin the workflow with a Form Trigger, so that there is somebody to show the page to.',
      });
    }
    if (choiceParameter(context, 'operation', 0, ['page', 'completion']) === 'completion') return complete(context);
    if (context.resume !== undefined) return output(afterPage(context));
    return {
      kind: 'wait',
      wait: waitForPage(context, {
        title: 'options.formTitle',
        description: 'options.formDescription',
        callers: EVERYBODY,
        leadsOn: true,
        suffix: '',
      }),
    };
  },
};

function complete(context: NodeContext): NodeResult {
  const items = context.items.map((item, index) => ({ ...item, pairedItem: { item: index } }));
  return { kind: 'respond', response: endOf(context), outputs: [items] };
}

function endOf(context: NodeContext): HttpResponse {
  const text = (path: string): string => textParameter(context, path, 0);
  const title = text('completionTitle');
  const message = text('completionMessage');
  const css = text('options.customCss') || lookOf(context).css;
  switch (choiceParameter(context, 'respondWith', 0, ENDS)) {
    case 'text':
      return formAnswer({ kind: 'end', title, message, css });
    case 'redirect':
      return formAnswer({ kind: 'redirect', url: checkedUrl(text('redirectUrl')) });
    case 'showText':
      return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: text('responseText') };
    case 'returnBinary':
      return fileAnswer(context, { title, message, css });
  }
}

function checkedUrl(url: string): string {
  const known = /^https?:\/\/[^\s/]/i.test(url.trim()) ? url.trim() : undefined;
  if (known !== undefined) return known;
  throw new NodeFailure(`"${url.slice(0, 100)}" is no address to send a browser to`, {
    description: 'Give one that begins with https:// or http://.',
  });
}

function fileAnswer(
  context: NodeContext,
  shown: { readonly title: string; readonly message: string; readonly css: string },
): HttpResponse {
  const property = textParameter(context, 'inputDataFieldName', 0, 'data');
  const binary = context.items[0]?.binary ?? {};
  const file = Object.hasOwn(binary, property) ? binary[property] : undefined;
  if (file === undefined)
    throw new NodeFailure(`The item has no file under "${property}"`, {
      description: `Files of the first item: ${Object.keys(binary).join(', ') || 'none'}.`,
    });
  return formAnswer({
    kind: 'file',
    ...shown,
    fileId: file.id,
    fileName: file.fileName ?? '',
    mimeType: file.mimeType,
  });
}
