import type { Part } from '../conformance.ts'
import { authenticationRules } from './authentication.ts'
import { decidedApprovalsRules } from './decided-approvals.ts'
import { decidedCalendarsRules } from './decided-calendars.ts'
import { decidedHoldRules } from './decided-hold.ts'
import { decidedIdempotencyRules } from './decided-idempotency.ts'
import { decidedOrderRules } from './decided-order.ts'
import { decidedProblemsRules } from './decided-problems.ts'
import { decidedRecordsRules } from './decided-records.ts'
import { decidedSeriesRules } from './decided-series.ts'
import { decidedShapesRules } from './decided-shapes.ts'
import { decidedSharedCalendarsRules } from './decided-shared-calendars.ts'
import { decidedUploadsRules } from './decided-uploads.ts'
import { endpointsMediaRules } from './endpoints-media.ts'
import { endpointsNotesRules } from './endpoints-notes.ts'
import { endpointsPostSetsRules } from './endpoints-post-sets.ts'
import { errorsRules } from './errors.ts'
import { eventsRules } from './events.ts'
import { limitsRules } from './limits.ts'
import { resourcesRules } from './resources.ts'
import { resourcesPostsRules } from './resources-posts.ts'
import { serviceRules } from './service.ts'
import { statesRules } from './states.ts'
import { versioningRules } from './versioning.ts'

/** The nine parts of the API, and what was settled beyond it. */
export const PARTS: readonly Part[] = [
  { title: 'What the service does', rules: serviceRules },
  { title: 'Resources and their fields', rules: [...resourcesRules, ...resourcesPostsRules] },
  { title: 'States and transitions', rules: statesRules },
  { title: 'Endpoints', rules: [...endpointsNotesRules, ...endpointsPostSetsRules, ...endpointsMediaRules] },
  { title: 'Authentication', rules: authenticationRules },
  { title: 'Events', rules: eventsRules },
  { title: 'Errors', rules: errorsRules },
  { title: 'Limits', rules: limitsRules },
  { title: 'Versioning', rules: versioningRules },
  {
    title: 'What we settled and added',
    rules: [
      ...decidedShapesRules,
      ...decidedRecordsRules,
      ...decidedProblemsRules,
      ...decidedOrderRules,
      ...decidedSeriesRules,
      ...decidedApprovalsRules,
      ...decidedIdempotencyRules,
      ...decidedHoldRules,
      ...decidedSharedCalendarsRules,
      ...decidedUploadsRules,
      ...decidedCalendarsRules,
    ],
  },
]
