import type { FormEnd, FormSettings } from '@weft/proto/channels';
import { listField, objectField, textField, type JsonObject } from '@weft/service-kit/json-values';
import {
  type DefinitionError,
  type NodeDefinition,
  type WorkflowDefinition,
  linksOf,
  readFormFields,
  kindOf,
  isExpression,
  plainParameter,
  plainText,
  versionOf,
} from '@weft/node-catalogue';
import { describeKind } from '../descriptors/kinds';
import { formNodes } from './routes';
import type { ResponseMode } from './webhook-settings';
import { callersOf } from './webhook-settings';

const CREDENTIAL_TYPES: ReadonlyMap<unknown, string> = new Map([['basicAuth', 'httpBasicAuth']]);
const RESPONSE_MODES: readonly ResponseMode[] = ['onReceived', 'lastNode', 'responseNode'];

/**
 * Reads the settings of a form trigger, with the defaults of its version. Never throws; `checkDefinition` reports
 * errors.
 */
export function formSettingsOf(definition: WorkflowDefinition, node: NodeDefinition): FormSettings {
  const options = objectField(node.parameters, 'options') ?? {};
  const fields = listField(objectField(node.parameters, 'formFields'), 'values');
  return {
    callers: callersOf(node, given(node, 'authentication'), CREDENTIAL_TYPES),
    responseMode: RESPONSE_MODES.find((mode) => mode === given(node, 'responseMode')) ?? 'onReceived',
    page: {
      title: text(node.parameters, 'formTitle'),
      description: text(node.parameters, 'formDescription'),
      button: text(options, 'buttonLabel'),
      fields: readFormFields(fields, versionOfForm(node)),
      css: text(options, 'customCss'),
    },
    end: endPageOf(options),
    hasPages: leadsToPage(definition, node.name),
  };
}

/** Maximum size in bytes of a form with all its strings: many forms are looked up in one call. */
export const MAX_FORM_BYTES = 70_000;

/** Errors for forms that are too large to be served. */
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
          `Node "${node.name}": the form has ${size} bytes with all its labels, choices and styles; ` +
          `${MAX_FORM_BYTES} is the limit.`,
      },
    ];
  });
}

/** The effective version of a form trigger. */
export function versionOfForm(node: NodeDefinition): number {
  const descriptor = describeKind('formTrigger');
  return descriptor === undefined ? 1 : versionOf(node, descriptor);
}

function given(node: NodeDefinition, name: string): unknown {
  const descriptor = describeKind('formTrigger');
  return descriptor && plainParameter(node, descriptor, name);
}

function endPageOf(options: JsonObject): FormEnd {
  const values = objectField(objectField(options, 'respondWithOptions'), 'values');
  return text(values, 'respondWith') === 'redirect'
    ? formEnd('redirect', text(values, 'redirectUrl'))
    : formEnd('text', text(values, 'formSubmittedText') || text(options, 'formSubmittedText'));
}

/** The final page of a form: text, or a redirect to a URL. */
export function formEnd(respondWith: 'text' | 'redirect', value: string): FormEnd {
  return { end: respondWith === 'redirect' ? { $case: 'redirectUrl', value } : { $case: 'text', value } };
}

/** True if an enabled node after the start shows a page: a Form node, or a Wait node that resumes by a form. */
function leadsToPage(definition: WorkflowDefinition, start: string): boolean {
  const next = new Map<string, string[]>();
  for (const { from, to } of linksOf(definition)) next.set(from, [...(next.get(from) ?? []), to]);
  const pages = new Set(
    definition.nodes.filter((node) => node.disabled !== true && showsPage(node)).map((node) => node.name),
  );
  const seen = new Set([start]);
  // Iterating over a set includes entries added during the iteration.
  for (const from of seen) {
    if (pages.has(from)) return true;
    for (const to of next.get(from) ?? []) seen.add(to);
  }
  return false;
}

function showsPage(node: NodeDefinition): boolean {
  const kind = kindOf(node.type);
  return kind === 'form' || (kind === 'wait' && text(node.parameters, 'resume') === 'form');
}

function text(value: unknown, key: string): string {
  const found = textField(value, key);
  return found === undefined || isExpression(found) ? '' : plainText(found);
}
