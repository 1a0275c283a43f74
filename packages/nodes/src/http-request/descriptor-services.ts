import { SERVICE_TYPES, type OptionDescriptor } from '@weft/node-catalogue';

/** Services whose credentials an HTTP request knows how to send, by the type of the credential. */
export const REQUEST_SERVICES: readonly OptionDescriptor[] = SERVICE_TYPES.map(({ name, label }) => ({
  value: name,
  label,
})).sort(
  (one, other) =>
    Number(one.value === 'httpBearerAuth') - Number(other.value === 'httpBearerAuth') ||
    (one.value < other.value ? -1 : 1),
);
