import { followUpRules, type PartRules } from '#domain'
import type { Connector, FollowUp, Part } from '../network.ts'

/** Follow-ups as the parts of a connector: those that a post wants, in this order. */
export const followUps = (...all: readonly FollowUp[]): NonNullable<Connector['parts']> => {
  return (post) =>
    all.filter((each) => each.wanted(post)).map(({ title, send, find }) => ({ ...followUpRules(title), send, find }))
}

/** What the machine has to know of a part. */
export const rulesOfPart = ({
  title,
  needs,
  stopsRest,
  startsWithinMs,
  endsWithinMs,
  ofThread,
  ofStories,
  ...steps
}: Part): PartRules => ({
  ...{ title, needs, stopsRest, startsWithinMs, endsWithinMs },
  ...(ofThread ? { ofThread } : {}),
  ...(ofStories ? { ofStories } : {}),
  ...{ prepares: steps.prepare !== undefined, confirms: steps.confirm !== undefined },
})
