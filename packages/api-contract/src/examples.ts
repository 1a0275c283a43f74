import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { isPart, type JsonPart, partAt } from './json-parts';

/** A body with an example, and where it is. */
interface Exemplified {
  readonly at: string;
  readonly pointer: string;
  readonly example: unknown;
}

const escaped = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

const bodiesOf = (document: JsonPart): readonly Exemplified[] =>
  Object.entries(partAt(document, 'paths') ?? {}).flatMap(([path, methods]) =>
    Object.entries(isPart(methods) ? methods : {}).flatMap(([method, operation]) => {
      const base = `/paths/${escaped(path)}/${method}`;
      const at = `${method.toUpperCase()} ${path}`;
      const responses = Object.keys(partAt(operation, 'responses') ?? {}).map((status) => ({
        at: `${at} ${status}`,
        pointer: `${base}/responses/${status}`,
        body: partAt(operation, 'responses', status),
      }));
      const request = { at: `${at} body`, pointer: `${base}/requestBody`, body: partAt(operation, 'requestBody') };
      return [request, ...responses].flatMap(({ body, ...place }) => {
        const content = partAt(body, 'content', 'application/json');
        return content?.['example'] === undefined
          ? []
          : [
              {
                at: place.at,
                pointer: `${place.pointer}/content/application~1json/schema`,
                example: content['example'],
              },
            ];
      });
    }),
  );

/** Number of examples of bodies in a document, and those that their schemas refuse, with the reason. */
export const checkExamples = (document: JsonPart): { readonly count: number; readonly faults: readonly string[] } => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats(ajv);
  ajv.addSchema({ ...document, $id: 'document' });
  const bodies = bodiesOf(document);
  const faults = bodies.flatMap(({ at, pointer, example }) => {
    const validate = ajv.compile({ $ref: `document#${pointer}` });
    return validate(example)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message = '' }) => `${at}: ${instancePath} ${message}`);
  });
  return { count: bodies.length, faults };
};
