import { type NodeContext, type NodeExecutor } from '@weft/engine';
import { textField } from '@weft/node-catalogue';
import { ResponseBudget } from '../../../shared/http/response/response-budget';
import { optionsOf } from '../../vendor/read-parameters';
import { requestJson, type Service } from '../../vendor/service';
import { respondToEach, TEXT_INPUT, textInput } from '../input-tool';
import { resultText } from './result-text';

/** The service. Its credential has no address. */
const SERP_API: Service = { credentialType: 'serpApi', addressField: 'url', address: 'https://serpapi.com' };

const DESCRIPTION =
  'Searches the web with Google. Use it for current events, and for facts that may have changed. The input is the ' +
  'words to search for.';

/** Options by their names in the request. */
const OPTIONS = ['gl', 'device', 'no_cache', 'google_domain', 'hl'] as const;

/** Searches the web for a model. The name of the function is n8n's. */
export const toolSerpApi: NodeExecutor = {
  kind: 'langchain.toolSerpApi',
  // a search is billed
  actsOutside: true,
  supplies: {
    ai_tool: () => ({ functions: [{ name: 'search', description: DESCRIPTION, parameters: TEXT_INPUT }] }),
  },
  run: (context) => {
    const budget = new ResponseBudget();
    return respondToEach(context, (itemIndex) => search(context, textInput(context, itemIndex), itemIndex, budget));
  },
};

/** The results as text. @throws NodeFailure if the service refuses the search */
async function search(context: NodeContext, words: string, itemIndex: number, budget: ResponseBudget): Promise<string> {
  if (words.trim() === '') return 'The input is empty: give the words to search for.';
  const options = optionsOf(context, itemIndex);
  const query = OPTIONS.flatMap((name) => {
    const value = options[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  const response = await requestJson(context, SERP_API, {
    method: 'GET',
    path: '/search',
    query: [...query, ['q', words]],
    itemIndex,
    budget,
  });
  return textField(response, 'error') ?? resultText(response);
}
