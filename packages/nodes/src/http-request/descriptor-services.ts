import { SERVICE_TYPES, type OptionDescriptor } from '@weft/node-catalogue';

/** Services with a supported credential, by credential type. */
export const REQUEST_SERVICES: readonly OptionDescriptor[] = SERVICE_TYPES.map(({ name, label }) => ({
  value: name,
  label,
})).sort(
  (one, other) =>
    Number(one.value === 'httpBearerAuth') - Number(other.value === 'httpBearerAuth') ||
    (one.value < other.value ? -1 : 1),
);
