import { parse } from 'yaml'
import { WrongUse } from './io.ts'
import type { Wishes } from './posts.ts'

export interface FrontMatter extends Wishes {
  brand?: string
  /** `bluesky,x` */
  to?: string
  at?: string
  draft?: boolean
  media: { source: string; altText: string | undefined }[]
}

const TEXTS = ['brand', 'at', 'title', 'website', 'privacy', 'type'] as const
const NAMES = [...TEXTS, 'to', 'draft', 'media']

/**
 * What a file says: fields in YAML between two lines of `---`, and the caption behind them.
 *
 * @throws WrongUse for what cannot be read, and for fields that there are not
 */
export function readFrontMatter(file: string, text: string): { fields: FrontMatter; caption: string } {
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text)
  if (!found || found.index > 0) throw new WrongUse(`${file} does not begin with fields between two lines of ---.`)
  const given = fieldsOf(file, found[1] ?? '')
  const unknown = Object.keys(given).find((name) => !NAMES.includes(name))
  if (unknown !== undefined) throw new WrongUse(`${file} has a field ${unknown}. There are: ${NAMES.join(', ')}.`)
  const texts = TEXTS.flatMap((name) => (given[name] === undefined ? [] : [[name, textOf(file, name, given[name])]]))
  const { to, draft } = given
  if (draft !== undefined && typeof draft !== 'boolean') throw new WrongUse(`${file}: draft is true or false.`)
  return {
    fields: {
      ...Object.fromEntries(texts),
      ...(to === undefined
        ? {}
        : {
            to: [to]
              .flat()
              .map((each) => textOf(file, 'to', each))
              .join(','),
          }),
      ...(draft === undefined ? {} : { draft }),
      media: [given.media ?? []].flat().map((each) => mediaOf(file, each)),
    },
    caption: text.slice(found[0].length).trim().replaceAll('\r\n', '\n'),
  }
}

function fieldsOf(file: string, yaml: string): Record<string, unknown> {
  let fields: unknown
  try {
    // Times stay as they are written; a file of a few names of one list does not become millions.
    fields = parse(yaml, { schema: 'core', maxAliasCount: 10 })
  } catch (error) {
    throw new WrongUse(`The fields of ${file} are not YAML: ${(error as Error).message}`)
  }
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields as Record<string, unknown>
  throw new WrongUse(`The fields of ${file} are \`name: value\`, one a line.`)
}

function textOf(file: string, name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new WrongUse(`${file}: ${name} is a text.`)
}

function mediaOf(file: string, value: unknown): FrontMatter['media'][number] {
  if (typeof value === 'string') return { source: value, altText: undefined }
  const { file: source, alt } = (value ?? {}) as { file?: unknown; alt?: unknown }
  if (typeof source !== 'string') throw new WrongUse(`${file}: media is a path, or \`file\` and \`alt\`.`)
  return { source, altText: alt === undefined ? undefined : textOf(file, 'alt', alt) }
}
