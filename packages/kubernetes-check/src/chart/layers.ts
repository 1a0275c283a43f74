/** A component of the manifests, and the values of the chart under which it is used. */
export interface Layer {
  /** Name of the component's folder. */
  readonly component: string;
  /** Template expression. */
  readonly condition: string;
}

/** All components as layers on top of the base, in the order of a kustomization. */
export const LAYERS: readonly Layer[] = [
  { component: 'production', condition: 'eq .Values.profile "production"' },
  { component: 'network-policies', condition: '.Values.networkPolicies.enabled' },
  { component: 'nats-cluster', condition: 'eq .Values.nats.mode "cluster"' },
  { component: 'nats-single', condition: 'eq .Values.nats.mode "single"' },
  { component: 'mongodb-single', condition: '.Values.mongodb.inCluster' },
  { component: 'nats-security', condition: '.Values.nats.security.enabled' },
  { component: 'nats-certificate', condition: '.Values.nats.security.certificate.enabled' },
  { component: 'small', condition: 'eq .Values.profile "small"' },
  { component: 'mutual-tls', condition: '.Values.mutualTls.enabled' },
  { component: 'mutual-tls-certificates', condition: '.Values.mutualTls.certificates.enabled' },
  { component: 'credential-files', condition: '.Values.credentialFiles.enabled' },
  { component: 'grpc-clients', condition: '.Values.grpcClients.enabled' },
  { component: 'grpc-clients-certificate', condition: '.Values.grpcClients.certificate.enabled' },
  { component: 'autoscaling', condition: '.Values.autoscaling.enabled' },
  { component: 'monitoring', condition: '.Values.monitoring.enabled' },
  { component: 'gateway-api', condition: '.Values.gatewayApi.enabled' },
  { component: 'ingress', condition: '.Values.ingress.enabled' },
  { component: 'tls', condition: '.Values.tls.enabled' },
  { component: 'back-up', condition: '.Values.backUp.enabled' },
  { component: 'gitops', condition: '.Values.operator.enabled' },
  { component: 'external-secrets', condition: '.Values.externalSecrets.enabled' },
];

/** The condition of a component. @throws Error if the component is no layer */
export const conditionOf = (component: string): string => {
  const layer = LAYERS.find((one) => one.component === component);
  if (layer === undefined) throw new Error(`The component ${component} is no layer of the chart.`);
  return layer.condition;
};
