import { Value } from 'typebox/value'
import { type AccountType, entryAt, POST_FIELDS, type PostOptions, type ProblemEntry, pathOf } from '#contract'
import type { DefaultField, Defaults, Manifest } from './network.ts'
import type { Networks } from './registry.ts'

/** What a post says of its options: null and absent are none. */
interface PostWithOptions {
  accountType: AccountType
  fields: Readonly<Record<string, unknown>>
}

/** What is declared for an account type. */
const declared = (manifest: Manifest, accountType: AccountType): readonly DefaultField[] =>
  manifest.defaults.filter(({ accountTypes }) => accountTypes?.includes(accountType) ?? true)

/** The publishing defaults that connections of an account type have. */
export const defaultsOf = (manifest: Manifest, accountType: AccountType): readonly DefaultField[] =>
  declared(manifest, accountType).filter(({ option }) => option !== 'only')

/** What connections of the sandbox have. */
export function sandboxDefaults(manifest: Manifest, accountType: AccountType): Defaults {
  const chosen = defaultsOf(manifest, accountType).filter(({ sandbox }) => sandbox !== undefined)
  return Object.fromEntries(chosen.map(({ name, sandbox }) => [name, sandbox]))
}

/** Those that have to be chosen and are not. */
export function missingDefaults(manifest: Manifest, accountType: AccountType, chosen: Defaults): DefaultField[] {
  return defaultsOf(manifest, accountType).filter(({ name, required, unless }) => {
    const isSpared = unless !== undefined && chosen[unless.name] === unless.value
    return required && !isSpared && chosen[name] === undefined
  })
}

/** Publishing defaults as they count for a post that a person schedules: without what people choose for each post. */
export const defaultsForPeople = (manifest: Manifest, accountType: AccountType, defaults: Defaults): Defaults =>
  without(defaults, perPostNames(manifest, accountType))

/** The fields of a copy of a post: without what people choose for each post. */
export function fieldsToCopy(networks: Networks, { accountType, fields }: PostWithOptions): PostWithOptions['fields'] {
  const manifest = networks.serving(accountType)?.manifest
  const names = manifest ? perPostNames(manifest, accountType) : []
  const options = fields.options as PostOptions | null | undefined
  if (!options || names.length === 0) return fields
  const left = without(options, names)
  return { ...fields, options: Object.keys(left).length === 0 ? null : left }
}

/** The same of a copy that goes to another account: without what an account has, such as a board. */
export function fieldsForOtherAccount(networks: Networks, post: PostWithOptions): PostWithOptions['fields'] {
  const own = Object.entries(POST_FIELDS[post.accountType]).flatMap(([name, { picker }]) =>
    picker === 'board' ? [name] : [],
  )
  return without(fieldsToCopy(networks, post), own)
}

const perPostNames = (manifest: Manifest, accountType: AccountType): string[] =>
  declared(manifest, accountType).flatMap(({ name, perPost }) => (perPost ? [name] : []))

const without = <T>(values: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

/** What a post can choose for itself: most publishing defaults, and what it alone has. */
export const optionsOf = (manifest: Manifest, accountType: AccountType): readonly DefaultField[] =>
  declared(manifest, accountType).filter(({ option }) => option !== false)

/** What a post is sent with: the publishing defaults of its connection, and over them its own options, as far as they are valid. */
export function chosenFor(manifest: Manifest, post: PostWithOptions, defaults: Defaults): Defaults {
  const given = givenOptions(post.fields.options)
  if (given.length === 0) return defaults
  const fields = optionsOf(manifest, post.accountType)
  const valid = given.filter(([name, value]) => {
    const field = fields.find((each) => each.name === name)
    return field !== undefined && Value.Check(field.schema, value)
  })
  return { ...defaults, ...Object.fromEntries(valid) }
}

/** Options whose values the network does not take: a rule, so it holds for scheduled posts. */
export function checkOptions(
  manifest: Manifest,
  { accountType, fields }: PostWithOptions,
  at: readonly (string | number)[],
): ProblemEntry[] {
  const known = optionsOf(manifest, accountType)
  return givenOptions(fields.options).flatMap(([name, value]) => {
    const field = known.find((each) => each.name === name)
    if (!field || Value.Check(field.schema, value)) return []
    const message = `${manifest.title}: "${field.title}" (${name}) cannot be ${JSON.stringify(value).slice(0, 100)}. ${valueAdvice(field)}`
    return [entryAt([...at, 'options', name], 'post:field_invalid', message, { accountType })]
  })
}

/** Options that the account type of their post does not have: wrong at any status. */
export function checkOptionNames(
  networks: Networks,
  posts: readonly { accountType: AccountType; options?: unknown }[],
): ProblemEntry[] {
  return posts.flatMap(({ accountType, options }, index) => {
    const manifest = networks.serving(accountType)?.manifest
    const known = manifest ? optionsOf(manifest, accountType).map(({ name }) => name) : []
    const unknown = givenOptions(options).filter(([name]) => !known.includes(name))
    return unknown.map(([name]) => {
      const steps = ['posts', index, 'options', name]
      const there = known.length === 0 ? 'It has none' : `Available: ${known.join(', ')}`
      const message = `${pathOf(steps)} is not a known option of ${accountType}. ${there}.`
      return entryAt(steps, 'request:invalid_body', message, { accountType })
    })
  })
}

interface ValueSchema {
  enum?: readonly string[]
  type?: string
  items?: ValueSchema
}

/** Which values a publishing default can have, as a sentence. */
export function valueAdvice({ schema, description }: DefaultField): string {
  const { enum: values, type, items } = schema as ValueSchema
  if (items?.enum) return `Use a list of these, each once: ${items.enum.join(', ')}.`
  const allowed = values ?? (type === 'boolean' ? ['true', 'false'] : null)
  return allowed ? `Use one of: ${allowed.join(', ')}.` : description
}

function givenOptions(options: unknown): [string, unknown][] {
  return Object.entries((options ?? {}) as PostOptions).filter(([, value]) => value !== null)
}
