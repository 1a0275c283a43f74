import {
  field,
  isJsonObject,
  type Json,
  type JsonObject,
  listField,
  objectField,
  textField,
} from '@weft/node-catalogue';

/** Pages, and entries of other lists, that the result has. */
const [MAX_PAGES, MAX_ENTRIES] = [5, 8];

/** Lists that replace the pages, as fields of the response with the field of the list in them. */
const LISTS: readonly (readonly [name: string, within?: string])[] = [
  ['events_results'],
  ['sports_results'],
  ['top_stories'],
  ['news_results'],
  ['jobs_results', 'jobs'],
  ['questions_and_answers'],
  ['popular_destinations', 'destinations'],
  ['top_sights', 'sights'],
  ['shopping_results'],
];

/** The response to a search as text for a model: the answer itself if there is one, otherwise the best results. */
export function resultText(response: JsonObject): string {
  const [first] = listField(response, 'answer_box_list');
  const box = isJsonObject(first) ? first : objectField(response, 'answer_box');
  if (box !== undefined) return answerOf(box);
  for (const [name, within] of LISTS) {
    const given = response[name];
    const found = within === undefined ? given : field(given, within);
    if (Array.isArray(found) && found.length > 0) return JSON.stringify(found.slice(0, MAX_ENTRIES).map(plainFields));
    if (isJsonObject(found) && Object.keys(found).length > 0) return JSON.stringify(found);
  }
  const graph = objectField(response, 'knowledge_graph');
  const pages = listField(response, 'organic_results').slice(0, MAX_PAGES).filter(isJsonObject);
  const places = listField(objectField(response, 'local_results'), 'places').slice(0, MAX_ENTRIES);
  const parts: Json[] = [
    ...(graph === undefined ? [] : [plainFields(graph)]),
    ...pages.map((page) => ({
      title: textField(page, 'title') ?? '',
      link: textField(page, 'link') ?? '',
      text: textOf(page),
    })),
    ...places.map(plainFields),
  ];
  return parts.length === 0 ? 'The search found nothing.' : JSON.stringify(parts);
}

function answerOf(box: JsonObject): string {
  for (const name of ['result', 'answer', 'snippet']) {
    const text = textField(box, name) ?? '';
    if (text !== '') return text;
  }
  const words = textOf(box);
  return words === '' ? JSON.stringify(plainFields(box)) : words;
}

const textOf = (page: JsonObject): string =>
  textField(page, 'snippet') ?? listField(page, 'snippet_highlighted_words').map(String).join(', ');

/** The fields with a text, a number or a truth value, without addresses. */
function plainFields(value: Json): Json {
  if (!isJsonObject(value)) return value;
  const plain = Object.entries(value).filter(
    ([, one]) => typeof one !== 'object' && !(typeof one === 'string' && one.startsWith('http')),
  );
  return Object.fromEntries(plain);
}
