import { plural, t } from '@lingui/core/macro'
import type { NetworkDescription, ProblemEntry } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { listOf } from '../design/words.ts'
import { wordsOfOption, wordsOfProblem } from '../language/server-words.ts'
import { fieldName, withValueNames } from '../planning/posts/field-words.ts'
import { measuredWords } from '../planning/posts/problem-words.ts'
import type { Fix } from './fixes.ts'
import { needsVideo } from './needs-video.ts'

/** What a button does that makes a fix. */
export function fixLabel(fix: Fix, problem: ProblemEntry): string {
  const name = problem.accountType ? networkName(problem.accountType) : ''
  switch (fix.kind) {
    case 'shorten': {
      const { by } = fix
      return t`Shorten by ${by}`
    }
    case 'own-text':
      return t`Write its own text`
    case 'leave-out':
      return t`Leave out ${name}`
    case 'crop': {
      const ratio = fix.ratio.name
      return t`Crop to ${ratio}`
    }
    case 'keep-first': {
      const { count } = fix
      return plural(count, { one: 'Keep the first', other: 'Keep the first #' })
    }
    case 'take-out': {
      const { number } = fix
      return t`Leave out file ${number}`
    }
    case 'crop-alike':
      return t`Crop alike`
    case 'pad':
      return t`Fill with soft edges`
    case 'make-story':
      return t`Make it a story`
    case 'fill-in':
      return t`Fill in`
    case 'reconnect':
      return t`Reconnect`
  }
}

/** All that is wrong with one post: what can be said in a few words is one list, the sentences of the server follow. */
export function wordsOfAll(problems: readonly ProblemEntry[], network: NetworkDescription | undefined): string {
  const few = problems.map((problem) => fewWords(problem, network))
  const listed = [...new Set(few.filter((words) => words !== null))]
  const sentences = problems.filter((_, index) => few[index] === null).map((problem) => namedWords(problem, network))
  const list = listOf(listed)
  return [...(list === '' ? [] : [sentences.length > 0 ? `${list}.` : list]), ...new Set(sentences)].join(' ')
}

/** A problem in a few words, where the server's sentence says more than the button beside it needs; else null. */
function fewWords(problem: ProblemEntry, network: NetworkDescription | undefined): string | null {
  const { code, limit, actual } = problem
  switch (code) {
    case 'post:caption_too_long': {
      if (limit === undefined || actual === undefined) return null
      return plural(actual - limit, { one: '# character too long', other: '# characters too long' })
    }
    case 'post:media_required': {
      const takes = network?.forms.map(({ media }) => media) ?? []
      if (takes.length > 0 && takes.every(needsVideo)) return t`needs a video`
      if (takes.length > 0 && takes.every(({ videos }) => videos === 0)) return t`needs a picture`
      return t`needs a picture or video`
    }
    case 'post:field_required': {
      const path = fieldPath(problem)
      if (path?.name === 'title') return t`needs a title`
      const title = path?.name === 'options' && fieldOf(problem, network)
      return title ? t`needs a choice for “${title}”` : null
    }
    case 'post:account_reconnect_required':
      return t`the account has to be reconnected`
    case 'post:account_not_connected':
      return t`the account is no longer connected`
    default:
      return measuredWords(problem)
  }
}

/** What is only advised of a file, or worth knowing of a field. */
export function warningWords(warning: ProblemEntry, network: NetworkDescription | undefined): string {
  // What becomes of a file with few pixels, the server knows.
  const measured = warning.code === 'post:media_dimensions' ? null : measuredWords(warning)
  return measured === null ? namedWords(warning, network) : t`${measured}; it may be refused`
}

/** The words of a problem or a warning, with the field that it is about. */
function namedWords(problem: ProblemEntry, network: NetworkDescription | undefined): string {
  const words = wordsOfProblem(problem)
  const field = fieldOf(problem, network)
  // The server's own sentences name it.
  if (words === problem.message) return withValueNames(words)
  return field === null ? words : `${field}: ${words}`
}

/** The name of the field that a problem is about, by its path: `posts[0].title`, `posts[0].options.privacy`. */
function fieldOf(problem: ProblemEntry, network: NetworkDescription | undefined): string | null {
  const path = fieldPath(problem)
  if (!problem.code.startsWith('post:field_') || path === null) return null
  const { name, option } = path
  const known = network?.options.find((each) => name === 'options' && each.name === option)
  return network && known ? wordsOfOption(network.accountType, known).title : fieldName(name)
}

function fieldPath({ path }: ProblemEntry): { name: string; option: string | undefined } | null {
  const [, name, option] = /^posts\[\d+\]\.(\w+)(?:\.(\w+))?/.exec(path) ?? []
  return name === undefined ? null : { name, option }
}
