/**
 * The content type of a response that is a text or JSON: also one that the workflow states says that it is UTF-8, as it
 * is, whatever charset was stated.
 */
export function typeInUtf8(stated: string): string {
  const [type = '', ...parameters] = stated.split(';').map((part) => part.trim());
  const others = parameters.filter((parameter) => parameter !== '' && !/^charset\s*=/i.test(parameter));
  return [type, ...others, 'charset=utf-8'].join('; ');
}
