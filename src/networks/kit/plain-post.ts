import { oddCharactersIn, plainLine, plainLines, type RichCaptionSegment } from '#contract'
import type { Finding, LinkPreview, PostToCheck } from '../network.ts'

/** What a post has to say: in its own fields, and with its media. */
type Texts = Pick<PostToCheck, 'caption' | 'fields'> & { media: readonly object[]; thread?: readonly object[] }

/** Texts of one line: of videos, pins and cards, and the sound of a reel. */
const ONE_LINE = ['title', 'audioName']

/**
 * A post as it goes out: every text of it is plain, and the segments of a rich caption still add up to the caption. The same
 * object when all of them were. What is stored and answered stays as it was sent to Almanac.
 */
export function plainPost<P extends Texts>(post: P): P {
  const { caption, fields, media, thread } = post
  const plain = { caption: plainLines(caption), fields: plainTexts(fields), media: plainTexts(media) }
  const parts = plainTexts(thread)
  const isPlain = plain.caption === caption && plain.fields === fields && plain.media === media && parts === thread
  return isPlain ? post : { ...post, ...plain, ...(thread ? { thread: parts } : {}) }
}

/** Words of a page go out like those of a post. */
export const plainPreview = (preview: LinkPreview | null | undefined): LinkPreview | null =>
  preview ? { ...preview, title: plainLine(preview.title), description: plainLines(preview.description) } : null

/** How many characters a warning names. */
const NAMED = 3

/** Warns of the texts of a post that go out otherwise than they were written. */
export function unplainTexts({ caption, fields, media, thread = [] }: Texts): Finding[] {
  // The segments of a rich caption are the caption.
  const { richCaption: _, ...others } = fields
  return textsIn({ caption, ...others, media, thread }).flatMap(({ steps, text }) => {
    const odd = oddCharactersIn(text)
    const oneLine = ONE_LINE.includes(String(steps.at(-1)))
    if (odd.length === 0 && !(oneLine && plainLine(text) !== text)) return []
    const names = odd.slice(0, NAMED).join(', ') + (odd.length > NAMED ? ' …' : '')
    const instead = oneLine ? 'spaces' : 'line breaks'
    const message =
      odd.length === 0
        ? 'The text has line breaks, and one line is shown. It is sent with spaces in their place.'
        : `The text has control characters that networks refuse (${names}). It is sent with ${instead} in place of those that end a line, and without the others.`
    return [{ code: 'post:field_invalid', steps, message, warning: true }]
  })
}

type Place = { steps: Finding['steps']; text: string }
function textsIn(value: unknown, steps: Finding['steps'] = []): Place[] {
  if (typeof value === 'string') return [{ steps, text: value }]
  if (typeof value !== 'object' || value === null) return []
  const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return parts.flatMap(([step, part]) => textsIn(part, [...steps, step]))
}

/** A value with all of its texts plain, however deep. The same value when they were. */
function plainTexts<T>(value: T, name = ''): T {
  if (typeof value === 'string') return (ONE_LINE.includes(name) ? plainLine : plainLines)(value) as T
  if (Array.isArray(value)) {
    const plain = name === 'richCaption' ? plainSegments(value) : value.map((each) => plainTexts(each, name))
    return plain.some((each, index) => each !== value[index]) ? (plain as T) : value
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const plain = entries.map(([key, each]) => [key, plainTexts(each, key)] as const)
  return plain.some(([, each], index) => each !== entries[index]?.[1]) ? (Object.fromEntries(plain) as T) : value
}

/** A line end of Windows that is cut in two by segments is one all the same. */
function plainSegments(segments: readonly RichCaptionSegment[]): readonly RichCaptionSegment[] {
  const texts = segments.map((segment) => (typeof segment === 'string' ? segment : segment.text))
  return segments.map((segment, index) => {
    const text = texts[index] ?? ''
    const isCut =
      text.endsWith('\r') &&
      texts
        .slice(index + 1)
        .find((each) => each !== '')
        ?.startsWith('\n')
    const plain = isCut ? `${plainLines(text.slice(0, -1))}\r` : plainLines(text)
    if (typeof segment === 'string') return plain
    const whole = plainTexts(segment)
    return plain === text && whole === segment ? segment : { ...whole, text: plain }
  })
}
