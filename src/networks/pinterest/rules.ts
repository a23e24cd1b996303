import type { Defaults, Finding, PostToCheck } from '../network.ts'
import { boardOf, fieldsOf, isBoardId } from './fields.ts'
import { limits } from './manifest.ts'
import { checkMedia } from './rules-media.ts'
import { checkLink, checkText } from './rules-text.ts'

/** Everything that Pinterest is known to refuse, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck, defaults: Defaults): Finding[] {
  return [
    ...checkTitle(post),
    ...checkDescription(post),
    ...checkLink(fieldsOf(post.fields).website, ['website']),
    ...checkBoard(post, defaults),
    ...checkMedia(post),
  ]
}

function checkTitle({ fields }: PostToCheck): Finding[] {
  const { title } = fieldsOf(fields)
  const steps = ['title']
  if (title === '') {
    const message = `A post for Pinterest has to have a title. Give it one of at most ${limits.titleLength.value} characters.`
    return [{ code: 'post:field_required', steps, message }]
  }
  return checkText(title, 'titles', steps, limits.titleLength)
}

function checkDescription({ caption }: PostToCheck): Finding[] {
  const steps = ['caption']
  const findings = checkText(caption, 'descriptions', steps, limits.descriptionLength, 'post:caption_too_long')
  const advised = limits.descriptionAdvised.value
  if (findings.length > 0 || caption.length <= advised) return findings
  const message = `The caption has ${caption.length} characters. Pinterest promises programs ${limits.descriptionLength.value} and people ${advised}, and may refuse or cut more than ${advised}.`
  return [{ code: 'post:caption_too_long', steps, limit: advised, actual: caption.length, message, warning: true }]
}

function checkBoard({ fields }: PostToCheck, defaults: Defaults): Finding[] {
  const board = boardOf(fields, defaults)
  if (board === null) {
    const message =
      'Pinterest puts every pin on a board, and this post names none. Give it a board, or choose one among the publishing defaults of the account.'
    return [{ code: 'post:field_required', steps: ['board'], message }]
  }
  if (isBoardId(board)) return []
  const message = `Pinterest knows boards by a number; "${board.slice(0, 40)}" is none. Choose a board of the account.`
  return [{ code: 'post:field_invalid', steps: ['board', 'id'], message }]
}
