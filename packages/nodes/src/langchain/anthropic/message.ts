import type { NodeContext } from '@weft/engine';
import type { ChatSettings, ContentPart } from '@weft/models';
import { booleanField, type JsonObject, listField, numberField, textField } from '@weft/node-catalogue';
import { ResponseBudget } from '../../shared/http/response/response-budget';
import { booleanParameter, textParameter } from '../../shared/read-parameter';
import { fileNames, filePart } from '../vendor/file-parts';
import { modelIdOf, optionsOf } from '../vendor/read-parameters';
import { readPrompts } from '../vendor/read-prompts';
import type { TextOperation } from '../vendor/text-operation';
import { anthropicModel, itemOfResponse, ROLES } from './anthropic-service';
import { filePartAt, uploadedPart } from './files';

/** Rounds of tools by default, and tokens of an answer. */
const [ROUNDS, ANSWER_TOKENS] = [15, 1_024];
/** The tool of the service that runs code, and the function of its API. */
const CODE = { type: 'code_execution_20250522', feature: 'code-execution-2025-05-22' } as const;
const SEARCH = 'web_search_20250305';

/** Asks a model, which may call the attached tools. */
export const message: TextOperation = {
  read: async (context, itemIndex) => {
    const options = optionsOf(context, itemIndex);
    const system = textField(options, 'system') ?? '';
    const attaches = booleanParameter(context, 'addAttachments', itemIndex, false);
    const prompts = readPrompts(context, ROLES, itemIndex, !attaches);
    const inline = attaches && !runsCode(options) && !isByAddress(context, itemIndex);
    const files = inline ? await partsOfItem(context, itemIndex) : [];
    const rounds = numberField(options, 'maxToolsIterations') ?? ROUNDS;
    return {
      choice: anthropicModel(modelIdOf(context, itemIndex), ...(runsCode(options) ? [CODE.feature] : [])),
      messages: [
        ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
        ...prompts,
        ...(files.length === 0 ? [] : [{ role: 'user', content: files } as const]),
      ],
      settings: settingsOf(options),
      // the answer after the last round counts too
      rounds: rounds > 0 ? rounds + 1 : 0,
    };
  },
  attach: async (context, itemIndex) => {
    const forCode = runsCode(optionsOf(context, itemIndex));
    const byAddress = isByAddress(context, itemIndex);
    if (!booleanParameter(context, 'addAttachments', itemIndex, false) || !(forCode || byAddress)) return [];
    const place = { itemIndex, budget: new ResponseBudget() };
    const content: ContentPart[] = [];
    for (const name of namesOf(context, itemIndex))
      content.push(
        forCode
          ? await uploadedPart(context, name, byAddress, place)
          : await filePartAt(context, name, undefined, place),
      );
    return [{ role: 'user', content }];
  },
  isPaused: (raw) => raw['stop_reason'] === 'pause_turn',
  itemsOf: (raw, context, itemIndex) => {
    const isMerged = booleanField(optionsOf(context, itemIndex), 'includeMergedResponse') === true;
    const merged: JsonObject = isMerged ? { merged_response: textOf(raw) } : {};
    return [itemOfResponse(raw, booleanParameter(context, 'simplify', itemIndex, true), merged)];
  },
};

const runsCode = (options: JsonObject): boolean => booleanField(options, 'codeExecution') === true;

const isByAddress = (context: NodeContext, itemIndex: number): boolean =>
  textParameter(context, 'attachmentsInputType', itemIndex, 'url') === 'url';

const namesOf = (context: NodeContext, itemIndex: number): string[] =>
  fileNames(context, isByAddress(context, itemIndex) ? 'attachmentsUrls' : 'binaryPropertyName', itemIndex);

/** Files of the item, which are read again in each round: bytes are not stored between them. */
async function partsOfItem(context: NodeContext, itemIndex: number): Promise<ContentPart[]> {
  const parts: ContentPart[] = [];
  for (const name of namesOf(context, itemIndex)) parts.push(await filePart(context, name, itemIndex));
  return parts;
}

function settingsOf(options: JsonObject): ChatSettings {
  const search = booleanField(options, 'webSearch') === true;
  const tools: JsonObject[] = [
    ...(runsCode(options) ? [{ type: CODE.type, name: 'code_execution' }] : []),
    ...(search ? [searchOf(options)] : []),
  ];
  return {
    maxTokens: numberField(options, 'maxTokens') ?? ANSWER_TOKENS,
    temperature: numberField(options, 'temperature'),
    topP: numberField(options, 'topP'),
    topK: numberField(options, 'topK'),
    body: tools.length === 0 ? undefined : { tools },
  };
}

function searchOf(options: JsonObject): JsonObject {
  const maxUses = numberField(options, 'maxUses');
  const [allowed, blocked] = [domainsOf(options, 'allowedDomains'), domainsOf(options, 'blockedDomains')];
  return {
    type: SEARCH,
    name: 'web_search',
    ...(maxUses === undefined ? {} : { max_uses: maxUses }),
    ...(allowed.length === 0 ? {} : { allowed_domains: allowed }),
    ...(blocked.length === 0 ? {} : { blocked_domains: blocked }),
  };
}

const domainsOf = (options: JsonObject, name: string): string[] =>
  (textField(options, name) ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

const textOf = (raw: JsonObject): string =>
  listField(raw, 'content')
    .map((block) => (textField(block, 'type') === 'text' ? (textField(block, 'text') ?? '') : ''))
    .join('');
