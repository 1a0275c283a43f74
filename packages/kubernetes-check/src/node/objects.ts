/** The parts of Kubernetes' objects that a node reads. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
}

/** A list as the API server returns it. */
export interface ListOf<Item> {
  readonly items: readonly Item[];
}

/** Reference to a key of a ConfigMap or a Secret. */
interface KeyRef {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

/** A probe; either by HTTP or by gRPC. */
export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: number };
  readonly grpc?: { readonly port: number; readonly service?: string };
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly failureThreshold?: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly envFrom?: readonly { readonly configMapRef?: { readonly name: string } }[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly configMapKeyRef?: KeyRef; readonly secretKeyRef?: KeyRef };
  }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext?: { readonly runAsUser?: number };
  readonly resources?: { readonly limits?: { readonly memory?: string } };
}

/** A volume. One that is neither a secret nor a ConfigMap is an empty folder. */
export interface Volume {
  readonly name: string;
  readonly secret?: {
    readonly secretName: string;
    readonly optional?: boolean;
    readonly items?: readonly { readonly key: string; readonly path: string }[];
  };
}

export interface Pod {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly volumes?: readonly Volume[];
    readonly terminationGracePeriodSeconds?: number;
    readonly securityContext?: { readonly runAsUser?: number; readonly runAsGroup?: number };
  };
  readonly status?: { readonly phase?: string };
}

export interface Service {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly clusterIP?: string;
    readonly ports?: readonly { readonly port: number; readonly targetPort?: number | string }[];
  };
}

/** Addresses of a Service, kept by the controllers. */
export interface EndpointSlice {
  readonly metadata: ObjectMeta;
  readonly endpoints?: readonly {
    readonly addresses: readonly string[];
    readonly conditions?: { readonly ready?: boolean };
  }[];
}
