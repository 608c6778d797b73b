import type { DroppedOptions } from './dropped-option.ts';

const bus = 'There is no message bus: work is queued in the database.';
const logs = 'Logs are JSON lines on stderr (log.level); where they go is decided by what starts the program.';

/** Options that a `zun.conf` holds for the libraries of the original, by group. */
export const libraryOptions: readonly DroppedOptions[] = [
  { group: 'DEFAULT', names: ['transport_url', 'control_exchange', 'rpc_*', 'executor_thread_pool_size'], why: bus },
  { group: 'oslo_messaging_amqp', names: null, why: bus },
  { group: 'oslo_messaging_kafka', names: null, why: bus },
  { group: 'oslo_messaging_notifications', names: null, why: bus },
  { group: 'oslo_messaging_rabbit', names: null, why: bus },
  {
    group: 'DEFAULT',
    names: [
      'log_*',
      'logging_*',
      'use_*',
      'default_log_levels',
      'publish_errors',
      'syslog_*',
      'watch_log_file',
      'rate_limit_*',
      'instance_*',
      'max_logfile_*',
      'fatal_deprecations',
    ],
    why: logs,
  },
  {
    group: 'DEFAULT',
    names: ['run_external_periodic_tasks', 'backdoor_*', 'graceful_shutdown_timeout', 'wsgi_*', 'tcp_keepidle'],
    why: "It is for the original's service library.",
  },
  {
    group: 'database',
    names: null,
    why: 'The pool is sized by the URL (?pool_size=); lost connections and conflicts are handled without settings.',
  },
  {
    group: 'keystone_auth',
    names: null,
    reservedFor: 'Keystone',
    why: 'Nothing here calls Keystone yet: standalone has an identity of its own.',
  },
  {
    group: 'keystone_authtoken',
    names: null,
    reservedFor: 'Keystone',
    why: 'Nothing here calls Keystone yet: standalone has an identity of its own.',
  },
  { group: 'service_credentials', names: null, reservedFor: 'Keystone', why: 'Nothing here calls Keystone yet.' },
  { group: 'cors', names: null, why: 'Methods and headers of CORS are fixed; origins are api.allowedOrigins.' },
  { group: 'healthcheck', names: null, why: 'Health is answered on a port of its own (admin.port).' },
  { group: 'oslo_concurrency', names: null, why: 'Locks are in the database.' },
  { group: 'oslo_middleware', names: null, why: 'The steps of a request are fixed; for a proxy set api.publicUrl.' },
  { group: 'oslo_policy', names: null, why: 'Rules are read from policy.yaml of the data folder.' },
  { group: 'oslo_reports', names: null, why: 'Metrics and health are on admin.port.' },
  { group: 'privsep', names: null, why: 'No commands are run as root through a helper.' },
  { group: 'zun_sys_admin', names: null, why: 'No commands are run as root through a helper.' },
  { group: 'profiler', names: null, why: "Traces are OpenTelemetry's (ZUN_TRACES and its OTEL_ variables), not OSProfiler's." },
  { group: 'profiler_jaeger', names: null, why: "Traces are OpenTelemetry's (ZUN_TRACES and its OTEL_ variables), not OSProfiler's." },
  { group: 'profiler_otlp', names: null, why: "Traces are OpenTelemetry's (ZUN_TRACES and its OTEL_ variables), not OSProfiler's." },
  { group: 'wsgi', names: null, why: 'The HTTP server is part of the program.' },
];
