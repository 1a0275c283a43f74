import type { FormSettings } from '@weft/proto/channels';
import type { JsonObject } from '@weft/service-kit/json';
import { checkDefinition } from './check-definition';
import { formSettingsOf } from './form-settings';
import { readDefinition } from '@weft/node-catalogue';
import { formNodes, routeErrors, routesOf } from './routes';

const trigger = (parameters: JsonObject, over: JsonObject = {}): JsonObject => ({
  name: 'F',
  type: 'weft-nodes-base.formTrigger',
  typeVersion: 2.2,
  parameters,
  ...over,
});
const definition = (nodes: JsonObject[], connections: JsonObject = {}) =>
  readDefinition({ name: 'x', nodes, connections });
const settings = (node: JsonObject, more: JsonObject[] = [], connections: JsonObject = {}): FormSettings => {
  const read = definition([node, ...more], connections);
  const [form] = formNodes(read);
  if (form === undefined) throw new Error('no form');
  return formSettingsOf(read, form);
};
const fieldsOf = (values: JsonObject[], typeVersion = 2.2) =>
  settings(trigger({ formFields: { values } }, { typeVersion })).page?.fields ?? [];

describe('formSettingsOf', () => {
  it('has the defaults of a new node', () => {
    expect(settings(trigger({}))).toEqual({
      callers: { authentication: 'none', credentialId: '', ipWhitelist: [], ignoreBots: false },
      responseMode: 'onReceived',
      page: { title: '', description: '', button: '', fields: [], css: '' },
      end: { end: { $case: 'text', value: '' } },
      hasPages: false,
    });
  });

  it('includes the credential that protects the form, and rejects unknown ones', () => {
    expect(
      settings(trigger({ authentication: 'basicAuth' }, { credentials: { httpBasicAuth: { id: 'c1' } } })).callers,
    ).toMatchObject({ authentication: 'basicAuth', credentialId: 'c1' });
    expect(settings(trigger({ authentication: 'oAuth2' })).callers?.authentication).toBe('unsupported');
  });

  it('reads the final page', () => {
    const end = (values: JsonObject) => settings(trigger({ options: { respondWithOptions: { values } } })).end?.end;
    expect(end({ respondWith: 'text', formSubmittedText: 'Bye' })).toEqual({ $case: 'text', value: 'Bye' });
    expect(end({ respondWith: 'redirect', redirectUrl: 'https://x.example/' })).toEqual({
      $case: 'redirectUrl',
      value: 'https://x.example/',
    });
  });

  it('reports whether a page follows the trigger, loops included, disabled nodes excluded', () => {
    const to = (node: string): JsonObject => ({ main: [[{ node, type: 'main', index: 0 }]] });
    const noOp = { name: 'N', type: 'weft-nodes-base.noOp', parameters: {} };
    const page = { name: 'P', type: 'weft-nodes-base.form', parameters: {} };
    const links = { F: to('N'), N: to('P'), P: to('N') };
    expect(settings(trigger({}), [noOp, page], links).hasPages).toBe(true);
    expect(settings(trigger({}), [noOp, { ...page, disabled: true }], links).hasPages).toBe(false);
    expect(settings(trigger({}), [noOp, page], { F: to('N') }).hasPages).toBe(false);
    expect(
      settings(trigger({}), [noOp, { ...page, type: 'weft-nodes-base.wait', parameters: { resume: 'form' } }], links)
        .hasPages,
    ).toBe(true);
  });
});

describe('the fields of a form', () => {
  it('have their label as key before version 2.4, and their name from then on', () => {
    const both = { fieldLabel: 'Your name', fieldName: 'who' };
    expect(fieldsOf([both]).map(({ name }) => name)).toEqual(['Your name']);
    expect(fieldsOf([both, { fieldLabel: 'Only a label' }], 2.4).map(({ name }) => name)).toEqual([
      'who',
      'Only a label',
    ]);
    expect(fieldsOf([{ fieldType: 'hiddenField', fieldName: 'ref', fieldValue: '7' }])).toMatchObject([
      { name: 'ref', type: 'hidden', initial: '7' },
    ]);
    expect(
      fieldsOf([
        { fieldType: 'html', html: '<b>x</b>' },
        { fieldType: 'html', html: 'y', elementName: 'note' },
      ]),
    ).toMatchObject([
      { name: '', initial: '<b>x</b>' },
      { name: 'note', initial: 'y' },
    ]);
  });

  it('have each choice once, and the number of allowed choices', () => {
    const fieldOptions = { values: [{ option: 'a' }, { option: 'b' }, { option: 'a' }, {}] };
    expect(fieldsOf([{ fieldType: 'dropdown', fieldOptions }])).toMatchObject([
      { options: ['a', 'b'], multiple: false },
    ]);
    expect(fieldsOf([{ fieldType: 'dropdown', multiselect: true, fieldOptions }])[0]?.multiple).toBe(true);
    expect(
      fieldsOf([{ fieldType: 'checkbox', fieldOptions, limitSelection: 'exact', numberOfSelections: 2 }])[0],
    ).toMatchObject({ multiple: true, least: 2, most: 2 });
    expect(
      fieldsOf([{ fieldType: 'checkbox', fieldOptions, limitSelection: 'range', maxSelections: 3 }])[0],
    ).toMatchObject({ least: 0, most: 3 });
  });
});

describe('the path of a form', () => {
  it('is one route, from the path, the option or the webhook id', () => {
    const keyOf = (node: JsonObject) => routesOf(definition([node]), 'w').map(({ key }) => key);
    expect(keyOf(trigger({ path: '/old/' }, { typeVersion: 2 }))).toEqual(['FORM old']);
    expect(keyOf(trigger({ options: { path: 'new' } }, { webhookId: 'u1' }))).toEqual(['FORM new']);
    expect(keyOf(trigger({}, { webhookId: 'u1' }))).toEqual(['FORM u1']);
    expect(keyOf(trigger({}, { webhookId: 'u1', disabled: true }))).toEqual([]);
  });

  it.each([
    ['no path', {}, 'needs a path'],
    ['a parameter', { options: { path: 'a/:id' } }, 'cannot contain parameters'],
    ['an expression', { options: { path: '={{ 1 }}' } }, 'cannot be an expression'],
    ['a parent segment', { options: { path: '../a' } }, 'invalid segment'],
  ])('is rejected: %s', (_, parameters, text) => {
    expect(routeErrors(definition([trigger(parameters)]))[0]?.message).toContain(text);
    expect(routesOf(definition([trigger(parameters)]), 'w')).toEqual([]);
  });

  it('does not conflict with a webhook of the same path', () => {
    const hook = { name: 'H', type: 'weft-nodes-base.webhook', parameters: { path: 'same' } };
    expect(routeErrors(definition([hook, trigger({ options: { path: 'same' } })]))).toEqual([]);
  });
});

describe('a form trigger to activate', () => {
  const messages = (parameters: JsonObject): string[] =>
    checkDefinition(definition([trigger({ options: { path: 'a' }, ...parameters })])).map(({ message }) => message);

  it('may only have known types of fields', () => {
    const types = [
      'text',
      'textarea',
      'number',
      'email',
      'password',
      'date',
      'dropdown',
      'checkbox',
      'radio',
      'file',
      'hiddenField',
      'html',
    ];
    expect(
      messages({ formFields: { values: types.map((fieldType) => ({ fieldLabel: fieldType, fieldType })) } }),
    ).toEqual([]);
    expect(messages({ formFields: { values: [{ fieldLabel: 'x', fieldType: 'signature' }] } })[0]).toContain(
      '"signature", which is not supported',
    );
  });

  it('may not exceed the maximum size', () => {
    expect(messages({ formDescription: 'x'.repeat(60_000) })).toEqual([]);
    expect(messages({ formDescription: 'ü'.repeat(60_000) })[0]).toContain('70000 is the limit');
  });

  it('may not contain an expression, and requires the URL of a redirect', () => {
    expect(messages({ formTitle: '={{ $now }}' })[0]).toContain('cannot contain an expression');
    expect(
      messages({
        options: { path: 'a', respondWithOptions: { values: { respondWith: 'redirect', redirectUrl: '' } } },
      })[0],
    ).toContain('required');
  });
});
