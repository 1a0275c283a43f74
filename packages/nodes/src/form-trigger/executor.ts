import { isJsonObject, listField, objectField, readFormFields } from '@weft/node-catalogue';
import { DateTime } from 'luxon';
import { type Item, type NodeContext, type NodeExecutor, output } from '@weft/engine';
import { rememberLook } from '../form/form-look';
import { textParameter } from '../shared/read-parameter';
import { formItem } from './form-item';

/**
 * Outputs the submitted form that started the run: one item with the values of its fields, `submittedAt` and
 * `formMode`. A run that was started in another way has the data of its start instead.
 */
export const formTrigger: NodeExecutor = {
  kind: 'formTrigger',
  actsOutside: false,
  run: (context) => {
    if (context.mode !== 'webhook') return output(context.items);
    const text = (path: string): string => textParameter(context, path, 0);
    const usesTimezone = hasOwnZone(context);
    rememberLook(context.runMemory, {
      title: text('formTitle'),
      button: text('options.buttonLabel'),
      css: text('options.customCss'),
      usesTimezone,
      query: objectField(context.items[0]?.json, 'query') ?? {},
    });
    const fields = readFormFields(
      listField(objectField(context.node.parameters, 'formFields'), 'values'),
      context.version,
    );
    return output(
      context.items.map((item) =>
        isJsonObject(item.json['body'])
          ? formItem(item, fields, { submittedAt: submittedAt(context, item, usesTimezone), formMode: 'production' })
          : item,
      ),
    );
  },
};

/** Up to version 2 the zone of the workflow is used only if configured. */
function hasOwnZone(context: NodeContext): boolean {
  const wanted = context.rawParameter('options.useWorkflowTimezone');
  return typeof wanted === 'boolean' ? wanted : context.version > 2;
}

/** The time of a submission as an ISO string, in the zone of the workflow or in UTC. */
export function submittedAt(context: NodeContext, { json }: Item, usesTimezone: boolean): string {
  const sent = json['submittedAt'];
  const time =
    typeof sent === 'string'
      ? DateTime.fromISO(sent, { zone: 'UTC' })
      : DateTime.fromMillis(context.ports.clock.now(), { zone: 'UTC' });
  return time.setZone(usesTimezone ? context.timezone : 'UTC').toISO() ?? '';
}
