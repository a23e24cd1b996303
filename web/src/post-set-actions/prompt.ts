import type { ChangesSince, MediaType, MoveScope, PostOptions, SeriesMoved, SocialSet } from '#contract'
import type { AgreeingNetwork } from '../planning/agreements/agreement.ts'
import type { PostSetSubject } from '../planning/posts/subject.ts'
import type { MoveTarget } from './plan-move.ts'
import type { Version } from './requests.ts'

/** A dialog that an action asks with. `answer(null)` closes it without doing anything. */
export type Prompt =
  | {
      kind: 'clock'
      subject: PostSetSubject
      gap: boolean
      choices: { instant: string; label: string }[]
      answer: (instant: string | null) => void
    }
  | { kind: 'series'; subject: PostSetSubject; change: SeriesChange; answer: (chosen: SeriesChoice | null) => void }
  | {
      kind: 'move'
      subject: PostSetSubject
      /** What the time is asked for, when it is not moving: `verb` is on the button. */
      asked?: { title: string; verb: string }
      answer: (target: MoveTarget | null) => void
    }
  | {
      kind: 'decide'
      network: AgreeingNetwork
      subjects: readonly PostSetSubject[]
      media: readonly { type: MediaType; durationMs: number | null }[]
      answer: (decision: Decision | null) => void
    }
  | { kind: 'duplicate'; subjects: readonly PostSetSubject[]; answer: (when: DuplicateWhen | null) => void }
  | {
      kind: 'brand'
      subjects: readonly PostSetSubject[]
      /** Null: the person chooses between copying and moving. */
      move: boolean | null
      brands: readonly SocialSet[]
      answer: (chosen: { brand: SocialSet; move: boolean } | null) => void
    }
  | {
      kind: 'labels'
      subjects: readonly PostSetSubject[]
      answer: (change: { add: string[]; remove: string[] } | null) => void
    }
  | { kind: 'reason'; subject: PostSetSubject; answer: (reason: string | null) => void }
  | { kind: 'request-changes'; subject: PostSetSubject; answer: (message: string | null) => void }
  | {
      kind: 'changed'
      subject: PostSetSubject
      /** What others changed since the post was seen. */
      since: ChangesSince
      /** On the button that decides all the same: "Approve it as it is now". */
      verb: string
      answer: (again: true | null) => void
    }

/** The post that it is about, or the first of them: those of one brand are asked about together. */
export function subjectOf(asked: Prompt): Pick<PostSetSubject, 'socialSetId'> {
  const first = 'subject' in asked ? asked.subject : asked.subjects[0]
  if (!first) throw new Error('A dialog asks about no post.')
  return first
}

/** What becomes of the posts on a network that has people decide about each. */
export type Decision = { options: PostOptions } | 'leave-out'

/** When copies are due: a week later, at these free times, when their originals are, or at a time of the brand's clock. */
export type DuplicateWhen =
  | { when: 'week' }
  | { when: 'free'; at: readonly string[] }
  | { when: 'same' }
  | { when: 'time'; target: MoveTarget }

/** What is to become of a set of a series, and of others of it if that is wanted. */
export interface SeriesChange {
  /** Distinguishes it from others of the same set. */
  key: string
  title: string
  /** On the button that does it: "Move". */
  verb: string
  /** It takes something away. */
  dangerous?: boolean
  /** "3 posts would move." */
  would: (number: number) => string
  /** Shows what would be, and writes nothing. */
  preview: (scope: MoveScope) => Promise<SeriesPreview>
}

/** How much of the series is meant, and which sets those are as far as that was reported. */
export interface SeriesChoice {
  scope: MoveScope
  sets: readonly Version[]
}

export interface SeriesPreview {
  /** What it would be done to. */
  sets: readonly Version[]
  /** The times of those that summer time would move. */
  shifted: readonly string[]
  left: SeriesMoved['left']
}

type Answer<Kind extends Prompt['kind']> = Parameters<Extract<Prompt, { kind: Kind }>['answer']>[0]

export type Ask = <Kind extends Prompt['kind']>(
  make: (answer: (answer: Answer<Kind>) => void) => Extract<Prompt, { kind: Kind }>,
) => Promise<Answer<Kind>>
