import {
  type HttpResponse,
  type Item,
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  type NodeResult,
  output,
} from '@weft/engine';
import type { LastPage, OfferedFile } from '@weft/proto/form-answer';
import { choiceParameter, textParameter } from '../shared/read-parameter';
import { formAnswer } from './form-answer';
import { lookOf } from './form-look';
import { afterPage, waitForPage } from './page-wait';

const ENDS = ['text', 'redirect', 'showText', 'returnBinary'] as const;
const EVERYBODY = { authentication: 'none', credentialId: '', ipWhitelist: [], ignoreBots: false };

/**
 * Shows a further page to the visitor who submitted the form that started the run, and outputs the submitted values; or
 * ends the form and passes its items on.
 */
export const form: NodeExecutor = {
  kind: 'form',
  actsOutside: true,
  awaitsCaller: true,
  run: (context) => {
    if (!context.hasUpstream('formTrigger')) {
      throw new NodeFailure('Form Trigger node must be set before this node', {
        description: 'Start the workflow with a Form Trigger, which shows the first page.',
      });
    }
    if (choiceParameter(context, 'operation', 0, ['page', 'completion']) === 'completion') return complete(context);
    if (context.resume !== undefined) return output(afterPage(context, lookOf(context).usesTimezone));
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
  if (context.hasDownstream('form'))
    throw new NodeFailure('Completion has to be the last Form node in the workflow', {
      description: 'Remove the Form nodes after it, or make it a page.',
    });
  const items = context.items.map((item, index) => ({ ...item, pairedItem: { item: index } }));
  return { kind: 'respond', response: endOf(context), outputs: [items] };
}

function endOf(context: NodeContext): HttpResponse {
  const text = (path: string): string => textParameter(context, path, 0);
  const look = lookOf(context);
  const page: LastPage = {
    pageTitle: text('options.formTitle') || look.title,
    title: text('completionTitle'),
    message: text('completionMessage'),
    css: text('options.customCss') || look.css,
  };
  switch (choiceParameter(context, 'respondWith', 0, ENDS)) {
    case 'text':
      return formAnswer({ kind: 'end', ...page });
    case 'redirect':
      return formAnswer({ kind: 'redirect', url: checkedUrl(text('redirectUrl')) });
    case 'showText':
      return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: text('responseText') };
    case 'returnBinary':
      return fileAnswer(context, page);
  }
}

function checkedUrl(url: string): string {
  const given = url.trim();
  const full = given.includes('://') || /^[a-z]+:/i.test(given) ? given : `https://${given}`;
  if (/^https?:\/\/[^\s/]/i.test(full)) return full;
  throw new NodeFailure(`"${url.slice(0, 100)}" is not a valid redirect URL`, {
    description: 'Use a URL that begins with https:// or http://.',
  });
}

function fileAnswer(context: NodeContext, page: LastPage): HttpResponse {
  const given = textParameter(context, 'inputDataFieldName', 0, 'data');
  const names = given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const items = [...context.items.slice(0, 1), ...context.upstreamFirstItems()];
  return formAnswer({
    kind: 'file',
    ...page,
    files: (names.length === 0 ? [given] : names).map((name) => offeredFile(items, name)),
  });
}

/** The file with that name of the nearest node that has one. @throws NodeFailure */
function offeredFile(items: readonly Item[], name: string): OfferedFile {
  const binary = items.map((item) => item.binary ?? {}).find((files) => Object.hasOwn(files, name));
  const file = binary?.[name];
  if (file !== undefined) return { fileId: file.id, fileName: file.fileName ?? '', mimeType: file.mimeType };
  const known = new Set(items.flatMap((item) => Object.keys(item.binary ?? {})));
  throw new NodeFailure(`No binary data with field ${name} found.`, {
    description: `Files of the nodes before it: ${[...known].join(', ') || 'none'}.`,
  });
}
