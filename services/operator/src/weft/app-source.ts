import { digestOfJson } from '@weft/app-model/digest';
import { isObject, parseYaml } from '@weft/apply';
import type { AppSourceFact } from '../domain/decide-app';

const MAX_MESSAGE = 200;

/** The app in a text, YAML or JSON. Weft checks it when it is written. */
export const appSourceOf = (text: string): AppSourceFact => {
  const invalid = (message: string): AppSourceFact => ({ state: 'invalid', message });
  try {
    const document = parseYaml(text);
    if (!isObject(document)) return invalid('The app is not an object with the field `weftApp`.');
    const { name } = document;
    if (typeof name !== 'string') return invalid('The app has no `name`.');
    return { state: 'found', source: { name, digest: digestOfJson(JSON.stringify(document)), document } };
  } catch (error) {
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return invalid(`The app is not valid YAML: ${message.slice(0, MAX_MESSAGE)}`);
  }
};
