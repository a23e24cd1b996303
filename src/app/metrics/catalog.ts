/** What serves a metric: everything that serves metrics, or what publishes (`up`, `worker`), or what serves the API (`up`, `api`). */
export type ServedBy = 'all' | 'publishing' | 'api'

interface Metric {
  type: 'counter' | 'gauge' | 'histogram'
  name: string
  /** One sentence, for `/metrics` and for docs/operating.md. */
  help: string
  labels: readonly string[]
  unit: string
  by: ServedBy
  /** Read from the database: each process reports the same, of the whole installation. */
  ofInstallation?: boolean
  /** Upper bounds of a histogram, in its unit. */
  buckets?: readonly number[]
}

const counter = (metric: Omit<Metric, 'type' | 'unit'>) => ({ ...metric, type: 'counter', unit: 'count' }) as const
const gauge = (metric: Omit<Metric, 'type'>) => ({ ...metric, type: 'gauge' }) as const
/** Of what is open in the whole installation. */
const open = (metric: Omit<Metric, 'type' | 'by'>) => gauge({ ...metric, by: 'all', ofInstallation: true })

/** Every metric of Almanac, by what the code calls it. Those of Node have the prefix `almanac_` and are not listed. */
export const METRICS = {
  healthy: gauge({
    name: 'almanac_healthy',
    help: 'Whether the process has no problem to report: 1 or 0.',
    labels: [],
    unit: '0 or 1',
    by: 'all',
  }),
  startHeld: gauge({
    name: 'almanac_start_held',
    help: 'Whether the start is held because this may be a copy of another Almanac, so that nothing goes out until a person answers: 1 or 0.',
    labels: [],
    unit: '0 or 1',
    by: 'all',
  }),
  databaseUp: gauge({
    name: 'almanac_database_up',
    help: 'Whether these figures could be read from the database: 1 or 0. With 0, those of the installation are left out.',
    labels: [],
    unit: '0 or 1',
    by: 'all',
  }),
  databaseWritable: gauge({
    name: 'almanac_database_writable',
    help: 'Whether the database answers and takes writes, as at /readyz: 1 or 0.',
    labels: [],
    unit: '0 or 1',
    by: 'all',
  }),
  lastWrite: gauge({
    name: 'almanac_last_write_timestamp_seconds',
    help: 'When the database last took a write of this process that a health check or a scrape has made.',
    labels: [],
    unit: 'seconds since 1970',
    by: 'all',
  }),
  clockAhead: gauge({
    name: 'almanac_database_clock_ahead_seconds',
    help: 'How far the clock of the database has jumped ahead, while posts go out by the time before the jump; 0 while it is believed.',
    labels: [],
    unit: 'seconds',
    by: 'publishing',
  }),
  poolConnections: gauge({
    name: 'almanac_pool_connections',
    help: 'Connections to the database, by the pool of requests, of publishing or of work and by whether they are in use.',
    labels: ['pool', 'state'],
    unit: 'connections',
    by: 'all',
  }),
  poolWaiting: gauge({
    name: 'almanac_pool_waiting',
    help: 'Callers that wait for a connection of a pool.',
    labels: ['pool'],
    unit: 'callers',
    by: 'all',
  }),
  dueSets: open({
    name: 'almanac_due_sets',
    help: 'Post sets that are due, not held and not claimed. Counted up to 100,000.',
    labels: [],
    unit: 'post sets',
  }),
  lastBackup: open({
    name: 'almanac_backup_last_success_timestamp_seconds',
    help: 'Of which moment the newest backup by `almanac backup` is; 0 where none was made.',
    labels: [],
    unit: 'seconds since 1970',
  }),
  oldestDue: open({
    name: 'almanac_oldest_due_set_seconds',
    help: 'How long the oldest of the due sets is past its time; 0 without one.',
    labels: [],
    unit: 'seconds',
  }),
  openDeliveries: open({
    name: 'almanac_open_deliveries',
    help: 'Deliveries that have not ended, by state.',
    labels: ['state'],
    unit: 'deliveries',
  }),
  laneDeliveries: open({
    name: 'almanac_lane_deliveries',
    help: 'Deliveries that have not ended, by network and by where they are in its lane: WAITING, HEAD, UNDER_WAY, ASLEEP.',
    labels: ['network', 'place'],
    unit: 'deliveries',
  }),
  oldestPublishing: open({
    name: 'almanac_oldest_publishing_set_seconds',
    help: 'How long the oldest post set that is PUBLISHING is past its time, held ones included; 0 without one.',
    labels: [],
    unit: 'seconds',
  }),
  pastLease: open({
    name: 'almanac_deliveries_past_lease',
    help: 'Deliveries whose worker let its lease run out, and that no other worker has taken over.',
    labels: [],
    unit: 'deliveries',
  }),
  oldestPastLease: open({
    name: 'almanac_oldest_delivery_past_lease_seconds',
    help: 'How long the first of these leases is over; 0 without one.',
    labels: [],
    unit: 'seconds',
  }),
  openImports: open({
    name: 'almanac_open_imports',
    help: 'Media imports that have not ended, by state.',
    labels: ['state'],
    unit: 'imports',
  }),
  importsEnded: counter({
    name: 'almanac_imports_ended_total',
    help: 'Media imports that this process has brought to an end, by state.',
    labels: ['state'],
    by: 'publishing',
  }),
  claimed: counter({
    name: 'almanac_sets_claimed_total',
    help: 'Post sets that were due and that this process has claimed.',
    labels: [],
    by: 'publishing',
  }),
  lateness: {
    type: 'histogram',
    name: 'almanac_delivery_lateness_seconds',
    help: 'From the time of a post to the fence before its first visible call.',
    labels: ['network'],
    unit: 'seconds',
    by: 'publishing',
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3_600, 21_600],
  },
  ended: counter({
    name: 'almanac_deliveries_ended_total',
    help: 'Posts that have ended, by outcome (posted, delivered, failed, may-be-live) and by reason (NONE where it was posted or delivered).',
    labels: ['network', 'outcome', 'reason'],
    by: 'publishing',
  }),
  unknown: counter({
    name: 'almanac_delivery_unknowns_total',
    help: 'Visible calls of which no answer is known, so the network is asked for it.',
    labels: ['network'],
    by: 'publishing',
  }),
  retries: counter({
    name: 'almanac_delivery_retries_total',
    help: 'Attempts that had no effect for certain and count. Waiting because a network asks for it does not.',
    labels: ['network'],
    by: 'publishing',
  }),
  takeovers: counter({
    name: 'almanac_delivery_takeovers_total',
    help: 'Deliveries taken over from a worker that is gone or let its lease run out.',
    labels: ['network'],
    by: 'publishing',
  }),
  refreshes: counter({
    name: 'almanac_token_refreshes_total',
    help: 'Refreshes of tokens by outcome: refreshed, failed (tried again later), dead (the account has to be connected again).',
    labels: ['network', 'outcome'],
    by: 'publishing',
  }),
  requests: counter({
    name: 'almanac_http_requests_total',
    help: 'Requests that were answered, by the pattern of their route (none where there is no such route).',
    labels: ['method', 'route', 'status'],
    by: 'api',
  }),
  requestDuration: {
    type: 'histogram',
    name: 'almanac_http_request_duration_seconds',
    help: 'From the head of a request to the end of its answer. A stream of live updates ends with its window.',
    labels: ['method', 'route'],
    unit: 'seconds',
    by: 'api',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof METRICS

export const metricsOf = (served: readonly ServedBy[]): Metric[] =>
  Object.values<Metric>(METRICS).filter(({ by }) => served.includes(by))
