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
    help: '1 if the process has no problem to report, otherwise 0.',
    labels: [],
    unit: '0 or 1',
    by: 'all',
  }),
  startHeld: gauge({
    name: 'almanac_start_held',
    help: '1 while the start is held because this may be a copy of another Almanac, so that nothing goes out until a person answers; otherwise 0.',
    labels: [],
    unit: '0 or 1',
    by: 'all',
  }),
  databaseUp: gauge({
    name: 'almanac_database_up',
    help: '1 if these figures could be read from the database, otherwise 0. With 0, those of the installation are left out.',
    labels: [],
    unit: '0 or 1',
    by: 'all',
  }),
  databaseWritable: gauge({
    name: 'almanac_database_writable',
    help: '1 if the database answers and accepts writes, as at /readyz; otherwise 0.',
    labels: [],
    unit: '0 or 1',
    by: 'all',
  }),
  lastWrite: gauge({
    name: 'almanac_last_write_timestamp_seconds',
    help: 'When the database last accepted a write that a health check or a scrape of this process made.',
    labels: [],
    unit: 'seconds since 1970',
    by: 'all',
  }),
  clockAhead: gauge({
    name: 'almanac_database_clock_ahead_seconds',
    help: 'How far the clock of the database has jumped ahead, while posts still follow the time before the jump; 0 while the clock is trusted.',
    labels: [],
    unit: 'seconds',
    by: 'publishing',
  }),
  poolConnections: gauge({
    name: 'almanac_pool_connections',
    help: 'Connections to the database, by pool (requests, publishing or work) and by whether they are in use.',
    labels: ['pool', 'state'],
    unit: 'connections',
    by: 'all',
  }),
  poolWaiting: gauge({
    name: 'almanac_pool_waiting',
    help: 'Callers waiting for a connection of a pool.',
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
    help: 'The moment of the newest backup by `almanac backup`; 0 if there is none.',
    labels: [],
    unit: 'seconds since 1970',
  }),
  oldestDue: open({
    name: 'almanac_oldest_due_set_seconds',
    help: 'How far the oldest due set is past its time; 0 if there is none.',
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
    help: 'Deliveries that have not ended, by network and by their place in its lane: WAITING, HEAD, UNDER_WAY, ASLEEP.',
    labels: ['network', 'place'],
    unit: 'deliveries',
  }),
  oldestPublishing: open({
    name: 'almanac_oldest_publishing_set_seconds',
    help: 'How far the oldest PUBLISHING post set is past its time, held ones included; 0 if there is none.',
    labels: [],
    unit: 'seconds',
  }),
  pastLease: open({
    name: 'almanac_deliveries_past_lease',
    help: 'Deliveries whose lease has expired and that no other worker has taken over.',
    labels: [],
    unit: 'deliveries',
  }),
  oldestPastLease: open({
    name: 'almanac_oldest_delivery_past_lease_seconds',
    help: 'How long ago the earliest of these leases expired; 0 if there is none.',
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
    help: 'Media imports that ended in this process, by state.',
    labels: ['state'],
    by: 'publishing',
  }),
  claimed: counter({
    name: 'almanac_sets_claimed_total',
    help: 'Due post sets that this process has claimed.',
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
    help: 'Visible calls whose answer is unknown, so the network is asked for the outcome.',
    labels: ['network'],
    by: 'publishing',
  }),
  retries: counter({
    name: 'almanac_delivery_retries_total',
    help: 'How often a post was tried again, after an attempt that failed or whose answer is unknown. Waits that a network asks for do not count.',
    labels: ['network'],
    by: 'publishing',
  }),
  takeovers: counter({
    name: 'almanac_delivery_takeovers_total',
    help: 'Deliveries taken over from a worker that is gone or let its lease expire.',
    labels: ['network'],
    by: 'publishing',
  }),
  refreshes: counter({
    name: 'almanac_token_refreshes_total',
    help: 'Token refreshes by outcome: refreshed, failed (tried again later), dead (the account has to be reconnected).',
    labels: ['network', 'outcome'],
    by: 'publishing',
  }),
  requests: counter({
    name: 'almanac_http_requests_total',
    help: 'Requests answered, by the pattern of their route (none if there is no such route).',
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
