import Type, { type TObject, type TProperties, type TSchema } from 'typebox'
import { accountTypes, PostSetCreate, postInputs } from '#contract'

/**
 * Schemas of the contract, as agents are shown them: every conversation begins with those of all tools, and the contract says eleven
 * times what is alike in posts of all account types. Operations check by the contract itself.
 */

const SHOWN_MEDIA = ['id', 'mediaLibraryId', 'altText', 'title', 'description', 'link', 'tags', 'crop'] as const

const accountType = Type.Enum([...accountTypes])
const open = (properties: TProperties) => Type.Object(properties)

/** What was answered may be sent back: of what is not read nothing is said. */
const media = Type.Array(open(Object.fromEntries(SHOWN_MEDIA.map((name) => [name, Type.Optional(Type.Unsafe({}))]))))
const thread = Type.Array(open({ caption: Type.String(), media: Type.Array(open({})) }), {
  description: 'Further parts, as replies: of TWITTER, THREADS and BLUESKY.',
})

/** What belongs to some account types alone: describe_networks says to which, and how it is written. */
function furtherFields(): TProperties {
  const said = new Set(['id', 'accountType', 'caption', 'media', 'thread', 'result', 'fit'])
  const all = accountTypes.flatMap((type) => Object.entries(postInputs[type].properties))
  const fields = Map.groupBy(
    all.filter(([name]) => !said.has(name)),
    ([name]) => name,
  )
  return Object.fromEntries(
    [...fields].map(([name, [first]]) => [name, Type.Optional(Type.Unsafe(outline(first?.[1] as unknown as Said, 1)))]),
  )
}

/** Posts of a request. */
export const POSTS_IN = Type.Array(
  open({
    id: Type.Optional(Type.String()),
    accountType,
    caption: Type.String(),
    media,
    thread: Type.Optional(thread),
    ...furtherFields(),
  }),
  { description: 'One for each account type. describe_networks says which fields each takes and needs.' },
)

/** The same where another tool has said it. */
export const POSTS_AGAIN = Type.Array(open({ accountType: Type.String() }), {
  description: 'As create_draft takes them.',
})

/** Fields of post sets that several tools take, in fewer words than the contract has. */
export const OF_POST_SETS = {
  repeat: PostSetCreate.properties.repeat,
  externalId: Type.Optional(Type.String({ description: 'A name of yours for it, once per brand.' })),
}

/** As JSON Schema has it. */
interface Said {
  type?: string
  properties?: Record<string, Said>
  required?: string[]
  items?: Said
  anyOf?: Said[]
}

/**
 * What an answer of the contract looks like, in outline: names and types of its fields, and of those of what is in it. Of
 * alternatives, the fields that all of them have.
 *
 * @param depth less than 2 where another tool has said what is in it
 */
export function outlineOf(schema: TObject, depth = 2): TSchema {
  return Type.Unsafe({ ...outline(schema as unknown as Said, depth), required: schema.required ?? [] } as object)
}

function outline({ type, properties, items, anyOf }: Said, depth: number): Said {
  if (anyOf) return anyOf.every((one) => one.properties) ? outline(common(anyOf), depth) : {}
  if (type === 'array') return depth > 0 && items ? { type, items: outline(items, depth) } : { type }
  if (type !== 'object') return type === undefined ? {} : { type }
  if (!properties || depth === 0) return { type }
  const fields = Object.entries(properties).map(([name, field]) => [name, outline(field, depth - 1)] as const)
  return { type, properties: Object.fromEntries(fields) }
}

function common(all: readonly Said[]): Said {
  const [first = {}, ...others] = all
  const fields = Object.entries(first.properties ?? {}).filter(([name]) =>
    others.every(({ properties = {} }) => Object.hasOwn(properties, name)),
  )
  return { type: 'object', properties: Object.fromEntries(fields) }
}
