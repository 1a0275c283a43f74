import { booleanField, listField, objectField, textField, type JsonObject } from '@weft/service-kit/json';
import type { DefinitionError, NodeDefinition, WorkflowDefinition } from './definition';
import { linksOf } from './definition';
import type { FormField } from './form-fields';
import { readFormFields } from './form-fields';
import { kindOf } from './kind-of';
import { describeKind } from './kinds';
import { isExpression, parameterOrDefault, plainText, versionOf } from './parameters';
import { formNodes } from './routes';
import type { ResponseMode, WebhookAuthentication } from './webhook-settings';
import { addressList } from './webhook-settings';

/** A page with a form, as it is shown. */
export interface FormPage {
  readonly title: string;
  /** Text that may hold simple HTML. */
  readonly description: string;
  /** Empty: the standard word. */
  readonly button: string;
  readonly fields: readonly FormField[];
  /** Styles of the author; empty: none. */
  readonly css: string;
}

/** What a person sees after the last page, if the run does not say. */
export type FormEnd =
  | { readonly kind: 'text'; /** Empty: the standard sentence. */ readonly text: string }
  | { readonly kind: 'redirect'; readonly url: string };

/** What the intake of a form has to know of its trigger. */
export interface FormSettings {
  readonly node: string;
  readonly authentication: WebhookAuthentication;
  readonly responseMode: ResponseMode;
  readonly ipWhitelist: readonly string[];
  readonly ignoreBots: boolean;
  readonly page: FormPage;
  readonly end: FormEnd;
  /** A node behind the trigger shows pages of its own: the browser is led on to them. */
  readonly hasPages: boolean;
}

const RESPONSE_MODES: readonly ResponseMode[] = ['onReceived', 'lastNode', 'responseNode'];

/**
 * Reads the settings of a form trigger, with the defaults of its version. Never throws; faults are for
 * `checkDefinition`.
 */
export function formSettingsOf(definition: WorkflowDefinition, node: NodeDefinition): FormSettings {
  const options = objectField(node.parameters, 'options') ?? {};
  const fields = listField(objectField(node.parameters, 'formFields'), 'values');
  return {
    node: node.name,
    authentication: authenticationOf(node),
    responseMode: RESPONSE_MODES.find((mode) => mode === stated(node, 'responseMode')) ?? 'onReceived',
    ipWhitelist: addressList(options),
    ignoreBots: booleanField(options, 'ignoreBots') ?? false,
    page: {
      title: text(node.parameters, 'formTitle'),
      description: text(node.parameters, 'formDescription'),
      button: text(options, 'buttonLabel'),
      fields: readFormFields(fields, versionOfForm(node)),
      css: text(options, 'customCss'),
    },
    end: endOf(options),
    hasPages: leadsToPage(definition, node.name),
  };
}

/** Bytes of a form with all its texts: many are looked up in one call. */
export const MAX_FORM_BYTES = 70_000;

/** Forms that are too large to be served. */
export function formErrors(definition: WorkflowDefinition): DefinitionError[] {
  const encoder = new TextEncoder();
  return formNodes(definition).flatMap((node) => {
    const size = encoder.encode(JSON.stringify(formSettingsOf(definition, node))).length;
    if (size <= MAX_FORM_BYTES) return [];
    return [
      {
        node: node.name,
        field: 'parameters.formFields',
        message:
          `Node "${node.name}": the form has ${size} bytes with all its texts, choices and styles; ` +
          `${MAX_FORM_BYTES} are the most.`,
      },
    ];
  });
}

/** The version of a form trigger as it counts. */
export function versionOfForm(node: NodeDefinition): number {
  const descriptor = describeKind('formTrigger');
  return descriptor === undefined ? 1 : versionOf(node, descriptor);
}

function stated(node: NodeDefinition, name: string): unknown {
  const descriptor = describeKind('formTrigger');
  return descriptor && parameterOrDefault(node.parameters, descriptor, versionOf(node, descriptor), name);
}

function authenticationOf(node: NodeDefinition): WebhookAuthentication {
  const kind = stated(node, 'authentication');
  if (kind === 'none') return { kind };
  if (kind !== 'basicAuth') return { kind: 'unsupported' };
  const credentialId = node.credentials?.['httpBasicAuth']?.id;
  return { kind, credentialType: 'httpBasicAuth', ...(credentialId === undefined ? {} : { credentialId }) };
}

function endOf(options: JsonObject): FormEnd {
  const values = objectField(objectField(options, 'respondWithOptions'), 'values');
  if (textField(values, 'respondWith') === 'redirect') return { kind: 'redirect', url: text(values, 'redirectUrl') };
  return { kind: 'text', text: text(values, 'formSubmittedText') || text(options, 'formSubmittedText') };
}

/** True if an enabled node behind the start shows a page: a Form node, or a Wait node that resumes by a form. */
function leadsToPage(definition: WorkflowDefinition, start: string): boolean {
  const next = new Map<string, string[]>();
  for (const { from, to } of linksOf(definition)) next.set(from, [...(next.get(from) ?? []), to]);
  const pages = new Set(
    definition.nodes.filter((node) => node.disabled !== true && showsPage(node)).map((node) => node.name),
  );
  const seen = new Set([start]);
  // A set gives what is added to it on the way as well.
  for (const from of seen) {
    if (pages.has(from)) return true;
    for (const to of next.get(from) ?? []) seen.add(to);
  }
  return false;
}

function showsPage(node: NodeDefinition): boolean {
  const kind = kindOf(node.type);
  return kind === 'form' || (kind === 'wait' && textField(node.parameters, 'resume') === 'form');
}

function text(value: unknown, key: string): string {
  const found = textField(value, key);
  return found === undefined || isExpression(found) ? '' : plainText(found);
}
