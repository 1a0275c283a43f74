import type { NodeContext, NodeExecutor } from '@weft/engine';
import { field, type JsonObject, listField, objectField, textField, toolName } from '@weft/node-catalogue';
import { ResponseBudget } from '../../../shared/http/response/response-budget';
import { jsonOf, requestAddress } from '../../vendor/service';
import { respondToEach, TEXT_INPUT, textInput } from '../input-tool';

const ADDRESS = 'https://en.wikipedia.org/w/api.php';
/** Articles that are read, and characters of all of them together. */
const [MAX_ARTICLES, MAX_LENGTH] = [3, 4_000];

const DESCRIPTION =
  'Searches the English Wikipedia, and gives the beginnings of the articles found. The input is a few words to ' +
  'search for, for example a name.';

/** Looks things up in Wikipedia for a model. */
export const toolWikipedia: NodeExecutor = {
  kind: 'langchain.toolWikipedia',
  actsOutside: false,
  supplies: {
    ai_tool: ({ node }) => ({
      functions: [{ name: toolName(node.name) || 'wikipedia', description: DESCRIPTION, parameters: TEXT_INPUT }],
    }),
  },
  run: (context) => {
    const budget = new ResponseBudget();
    return respondToEach(context, (itemIndex) => lookUp(context, textInput(context, itemIndex), itemIndex, budget));
  },
};

/** The beginnings of the articles found. @throws NodeFailure if Wikipedia cannot be reached */
async function lookUp(context: NodeContext, words: string, itemIndex: number, budget: ResponseBudget): Promise<string> {
  if (words.trim() === '') return 'The input is empty: give the words to search for.';
  const ask = async (fields: JsonObject): Promise<JsonObject> => {
    const query = Object.entries({ action: 'query', format: 'json', ...fields });
    const response = await requestAddress(context, { method: 'GET', path: ADDRESS, query, itemIndex, budget });
    budget.giveBack(response.body.length);
    return objectField(await jsonOf(context, response, itemIndex), 'query') ?? {};
  };
  const found = await ask({ list: 'search', srsearch: words, srlimit: MAX_ARTICLES });
  const articles: string[] = [];
  for (const title of listField(found, 'search').slice(0, MAX_ARTICLES).map(titleOf)) {
    const { pages } = await ask({ prop: 'extracts', explaintext: 'true', redirects: '1', titles: title });
    const [page] = Object.values(pages ?? {});
    articles.push(`# ${title}\n\n${textField(page, 'extract') ?? ''}`);
    if (articles.join('\n\n').length >= MAX_LENGTH) break;
  }
  return articles.join('\n\n').slice(0, MAX_LENGTH) || 'There is no article about this.';
}

const titleOf = (result: unknown): string => String(field(result, 'title') ?? '');
