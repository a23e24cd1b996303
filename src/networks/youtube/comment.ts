import { pages } from '../kit/api.ts'
import { commentedPost, firstComment } from '../kit/first-comment.ts'
import { need, reader } from '../kit/read-json.ts'
import { askComments, client, commentId } from './api.ts'
import { errors, parseError } from './outcomes.ts'

const REFUSED: Readonly<Record<string, string>> = {
  commentsDisabled: 'Comments are switched off for this video or for the channel.',
  forbidden: 'YouTube does not let the channel comment on this video.',
  insufficientPermissions:
    'The sign-in lacks the permission for comments. Set ALMANAC_YOUTUBE_COMMENTS=on, connect the channel again and tick everything that Google asks for.',
  ineligibleAccount: 'The Google account cannot comment until it has joined YouTube. Open youtube.com with it.',
}

const parseNew = reader({ id: need('id', commentId) })

/**
 * The first comment, in the name of the channel: https://developers.google.com/youtube/v3/docs/commentThreads/insert (read
 * 2026-11-29). Comments that YouTube holds for review may be missing from the listing, so that silence is not taken for proof.
 */
const comment = firstComment({
  title: 'YouTube',
  authorOf: ({ account }) => account.externalId,
  send: (attempt, textOriginal) =>
    client(attempt, {
      method: 'POST',
      path: 'youtube/v3/commentThreads',
      query: { part: 'snippet' },
      json: { snippet: { videoId: commentedPost(attempt), topLevelComment: { snippet: { textOriginal } } } },
      parse: (body) => parseNew(body)?.id,
    }),
  list: (attempt) =>
    pages(2, (pageToken) =>
      askComments(attempt, {
        ...{
          part: 'snippet',
          videoId: commentedPost(attempt),
          order: 'time',
          maxResults: '20',
          textFormat: 'plainText',
        },
        ...(pageToken === null ? {} : { pageToken }),
      }),
    ),
  errors,
  notPermitted: (answer) => REFUSED[parseError(answer).reason ?? ''] ?? null,
  isUnknownPost: (answer) => parseError(answer).reason === 'videoNotFound',
})

const UNLISTED = 'YouTube does not list it, as it does not list what it holds for review.'

export const followUp: typeof comment = {
  ...comment,
  async find(attempt) {
    const outcome = await comment.find(attempt)
    return outcome.kind === 'absent' ? { kind: 'cannot-tell', message: UNLISTED } : outcome
  },
}
