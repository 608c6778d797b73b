import { settingsTable } from '../../src/config/settings-table.ts';
import { closedObject, type Schema, settingsSchema } from './setting-schema.ts';

/** Settings that the chart makes itself, of what it knows of the cluster, or that come from Secrets, or that only one machine has. */
const ownOfChart =
  /^(host|encryptionKey|database\..*|api\.(host|port)|consoles\.(host|port)|admin\..*|runtime\..*|engine\..*|kubernetes\.(kubeconfig|context|nodeAccess|agentNamespace|agentSelector|projectRoles))$/;

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const texts: Schema = { type: 'object', additionalProperties: text };
/** Parts of Kubernetes' own objects, which the API server judges. */
const list: Schema = { type: 'array', items: { type: 'object' } };
const anything: Schema = { type: 'object' };
const count: Schema = { type: 'integer', minimum: 1 };
const port: Schema = { type: 'integer', minimum: 1, maximum: 65_535 };

const placed = { resources: anything, nodeSelector: texts, tolerations: list, priorityClassName: text };
const replicated = { ...placed, replicas: count };
const service = closedObject({
  type: { type: 'string', enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
  port,
  annotations: texts,
});
const peers = closedObject({ to: list, ports: { type: 'array', items: port } });

/** The text of the chart's `values.schema.json`: what helm refuses before anything is installed. */
export function valuesSchema(): string {
  const config = settingsSchema(settingsTable.filter(({ key }) => !ownOfChart.test(key)));
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $comment: 'Made by tools/generate-config-files.ts from tools/chart/values-schema.ts and src/config/settings-table.ts.',
    ...closedObject({
      // Helm's own, for charts that contain this one.
      global: anything,
      image: closedObject({
        repository: { type: 'string', minLength: 1 },
        tag: text,
        digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
        pullPolicy: { type: 'string', enum: ['Always', 'IfNotPresent', 'Never'] },
      }),
      imagePullSecrets: list,
      config,
      policy: texts,
      secrets: closedObject({ existingSecret: text, databaseUrl: text, encryptionKey: { type: 'string', pattern: '^([!-~ ]{32,})?$' } }),
      identity: closedObject({ existingSecret: text, servicePort: port }),
      certificates: closedObject({ configMap: text }),
      listenAddress: { type: 'string', minLength: 1 },
      api: closedObject({ ...replicated, service }),
      compute: closedObject(replicated),
      agent: closedObject({ ...placed, containerdSocket: { type: 'string', pattern: '^(/\\S+/containerd\\.sock)?$' } }),
      wsproxy: closedObject({ ...replicated, service, enabled: flag }),
      databaseUpgrade: closedObject({ enabled: flag, activeDeadlineSeconds: count }),
      networkPolicy: closedObject({
        enabled: flag,
        usersFrom: list,
        metricsFrom: list,
        kubernetesApi: peers,
        database: peers,
        extraEgress: list,
      }),
      admissionPolicy: closedObject({ enabled: flag }),
    }),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
