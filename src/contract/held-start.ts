import Type from 'typebox'
import { LATE_CHOICES } from './late-choices.ts'
import { closed, orNull } from './schema.ts'

/** The label of sets that were moved to drafts because another installation may have published them. */
export const MAY_HAVE_GONE_OUT_LABEL = { name: 'May have gone out already', color: '#e42a23' } as const

/** A start that waits for a person before anything goes out: `start` of `GET /internal/holds`. */
export const HeldStartShown = closed({
  since: Type.String(),
  copy: Type.Boolean({ description: 'A copy was noticed; else the operator has asked to start like this.' }),
  signs: Type.Array(Type.String(), { description: 'What was noticed, as sentences; for operators alone.' }),
})
export type HeldStartShown = Type.Static<typeof HeldStartShown>

/** What the person who resumes a held start decides about: `GET /internal/held-start/due`. */
export const HeldStartDue = closed({
  lastRanAt: orNull(
    Type.String({ description: 'When the installation that this one is a copy of was last known to run.' }),
  ),
  postSets: Type.Integer({ description: 'Post sets that were due, or on their way and not seen by a network.' }),
  withNetworks: Type.Integer({ description: 'Posts that a network has already received: they are looked up.' }),
})
export type HeldStartDue = Type.Static<typeof HeldStartDue>

/** Body of `POST /internal/held-start/resume` */
export const ResumeBody = closed({
  late: Type.Enum([...LATE_CHOICES]),
  postSets: Type.Optional(
    Type.Integer({ minimum: 0, description: 'To publish them: how many there are, as they were counted.' }),
  ),
})
export type ResumeBody = Type.Static<typeof ResumeBody>

/** The outcome of resuming a held start. */
export const ResumedStart = closed({
  publishing: Type.Integer({ description: 'Post sets that go out now.' }),
  parked: Type.Integer({ description: 'Post sets that are drafts now.' }),
  failed: Type.Integer({ description: 'Posts that were on their way and ended as FAILED.' }),
})
export type ResumedStart = Type.Static<typeof ResumedStart>
