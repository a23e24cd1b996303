import type { Attempt, Connector, Part, PostToCheck } from '../network.ts'
import { attemptWith } from './attempt.ts'
import { ENDS_WITHIN_MS, replyOf, STARTS_WITHIN_MS, stepsOf } from './thread.ts'

type Stories = (post: Pick<PostToCheck, 'fields'>) => boolean

/**
 * The connector of a network on which each item of a story is a post of its own: the first one is the post, and each of the others a
 * part behind it, with handles, a fence and looks of its own. What fails, or comes too late, stops the rest.
 */
export function withStories(connector: Connector, isStory: Stories): Connector {
  const { prepare, publish, confirm, find, parts, wordsOf } = connector
  const first = (attempt: Attempt) => (isStory(attempt.post) ? withFirst(attempt) : attempt)
  return {
    ...connector,
    prepare: (attempt) => prepare(first(attempt)),
    publish: (attempt) => publish(first(attempt)),
    confirm: (attempt) => confirm(first(attempt)),
    find: (attempt) => find(first(attempt)),
    parts: (post) => [...(isStory(post) ? post.media.slice(1).map(storyPart) : []), ...(parts?.(post) ?? [])],
  }

  function storyPart(_: unknown, nth: number): Part {
    const steps = { prepare, send: publish, confirm, find }
    return {
      ...{ title: `story ${nth + 2}`, ofStories: true, needs: null, stopsRest: true },
      ...{ startsWithinMs: STARTS_WITHIN_MS, endsWithinMs: ENDS_WITHIN_MS },
      ...stepsOf((attempt) => storyOf(attempt, nth + 1, wordsOf), steps),
    }
  }
}

const withFirst = (attempt: Attempt): Attempt =>
  attemptWith(attempt, { post: { ...attempt.post, media: attempt.post.media.slice(0, 1) } })

function storyOf(attempt: Attempt, index: number, wordsOf: Connector['wordsOf']): Attempt {
  const alone = attemptWith(attempt, {
    // It answers none of those before, and is none of them.
    before: [],
    async others() {
      const others = await attempt.others()
      const own = attempt.before.flatMap(({ providerId }) => providerId ?? [])
      return { ...others, taken: new Set([...others.taken, ...own]) }
    },
  })
  return replyOf(alone, `story${index}`, { caption: '', media: attempt.post.media.slice(index, index + 1) }, wordsOf)
}
