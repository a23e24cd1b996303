import type { NetworkDescription } from '#contract'
import { type Network, type Networks, networkAppsOf, readNetworkPage } from '#networks'
import { describeNetworks } from '#operations'
import { code, codes, number, table } from './markdown.ts'
import { type Schema, typeWords } from './schema-tables.ts'

/** `networks/bluesky`: the page of a network by what follows /docs/. */
export const pageOfNetwork = ({ manifest }: Network) => `networks/${manifest.name}`

/** The list of networks, with what a post of each account type may hold. */
export function networksMarkdown(networks: Networks): string {
  const rows = describeNetworks(networks).flatMap(({ accountType, network, title, forms }) =>
    forms.map((form) => [
      `[${title}](/docs/networks/${network}.md)`,
      code(accountType),
      form.type === null ? '' : code(form.type),
      captionWords(form),
      mediaWords(form),
    ]),
  )
  return `# Networks

Where posts go. Each network has a page: what an account needs, how to connect it, how posts are published, what happens if
an answer is unclear, and every limit with its source. Programs can read the same with [\`GET /v1/networks\`](/docs/endpoints.md#get-v1networks).

${table(['Network', 'Account type', 'Type', 'Caption', 'Media'], rows)}
`
}

/** The page of a network: what its folder says, and what its manifest says in numbers. */
export async function networkMarkdown(networks: Networks, network: Network): Promise<string> {
  const described = describeNetworks(networks).filter((each) => each.network === network.manifest.name)
  const reported = await readNetworkPage(network)
  const sections = [
    '## Kinds of posts',
    table(
      ['Account type', 'Type', 'Caption', 'Media'],
      described.flatMap(({ accountType, forms }) =>
        forms.map((form) => [
          code(accountType),
          form.type === null ? '' : code(form.type),
          captionWords(form),
          mediaWords(form),
        ]),
      ),
    ),
    ...defaultsSection(described),
    ...optionsSection(described),
    '## Numbers',
    limitTable(described[0]?.limits ?? []),
  ]
  const [about = '', ...rest] = withoutFileLinks(reported)
    .trimEnd()
    .split(/\n(?=## )/)
  return `${[about.trimEnd(), ...connectingSection(network), ...rest, ...sections].join('\n\n')}\n`
}

/** How an account is connected on the screen; what the folder says is about the network's side. */
function connectingSection(network: Network): string[] {
  const { title } = network.manifest
  const apps = networkAppsOf(network)
  const names = listed(
    apps.map((app) => `_${app.title}_`),
    'disjunction',
  )
  const steps = [
    ...(apps.length > 0
      ? [
          `Under _Settings › Network apps_ open ${names}. It shows the callback address that the app on the network has to list. Enter the app's id and secret there once; they apply at once, without a restart. Settings in the environment do the same and win over them.`,
        ]
      : []),
    `Under _Connections_ choose the brand and _Connect ${title}_.`,
    'Choose the publishing defaults, where there are any.',
  ]
  return ['## In the dashboard', steps.map((step, at) => `${at + 1}. ${step}`).join('\n')]
}

function defaultsSection(described: readonly NetworkDescription[]): string[] {
  const rows = described.flatMap(({ accountType, defaults, options }) =>
    defaults.map(({ name, title, description, required, schema }) => [
      code(name),
      code(accountType),
      `${title}. ${description}`,
      typeWords(schema as Schema),
      required ? 'yes' : 'no',
      options.some((option) => option.name === name) ? 'yes' : 'no',
    ]),
  )
  if (rows.length === 0) return []
  return [
    '## Publishing defaults',
    'Set for the connected account with `almanac connections choose`, because posts have no field for them. A post can override them in `options`. A post cannot be scheduled until each required one is set in one of these places.',
    table(['Name', 'Account type', 'Meaning', 'Values', 'Required', 'In `options` of a post'], rows),
  ]
}

/** Options that no connection has a default for. */
function optionsSection(described: readonly NetworkDescription[]): string[] {
  const rows = described.flatMap(({ accountType, defaults, options }) =>
    options
      .filter(({ name }) => !defaults.some((each) => each.name === name))
      .map(({ name, title, description, schema }) => [
        code(name),
        code(accountType),
        `${title}. ${description}`,
        typeWords(schema as Schema),
      ]),
  )
  if (rows.length === 0) return []
  return [
    '## Options',
    'Further values for the field `options` of a post.',
    table(['Name', 'Account type', 'Meaning', 'Values'], rows),
  ]
}

function limitTable(limits: NetworkDescription['limits']): string {
  const rows = limits.map(({ name, value, unit, source, read, unsure }) => [
    code(name),
    `${number(value)} ${unit}`,
    `[${new URL(source).hostname}](${source}), ${read}`,
    unsure ?? '',
  ])
  return table(['Limit', 'Value', 'Read', 'What is uncertain'], rows)
}

type Form = NetworkDescription['forms'][number]

const captionWords = ({ caption }: Form) =>
  caption === null ? 'none is shown' : `up to ${number(caption.max)} ${caption.unit}`

function mediaWords({ media }: Form): string {
  const { min, max, images, videos, documents, mixed } = media
  const kinds = [
    ...(images > 0 ? [count(images, 'image')] : []),
    ...(videos > 0 ? [count(videos, 'video')] : []),
    ...(documents > 0 ? [count(documents, 'PDF')] : []),
  ]
  if (kinds.length === 0) return 'none'
  const words = listed(kinds, mixed ? 'conjunction' : 'disjunction')
  const least = min === 0 ? 'none, or ' : min > 1 ? `at least ${min}: ` : ''
  return `${least}${words}${mixed ? `, ${max} in all` : ''}`
}

const listed = (words: readonly string[], type: 'conjunction' | 'disjunction') =>
  new Intl.ListFormat('en-GB', { type }).format(words)

const count = (most: number, what: string) => (most === 1 ? `1 ${what}` : `up to ${most} ${what}s`)

/** Links to files beside the page lead nowhere from where it is served. */
function withoutFileLinks(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\((?!https?:|\/|#)[^)\s]+\)/g, '$1')
}

export const networkLines = (networks: Networks) =>
  networks.all.map((network) => ({
    name: pageOfNetwork(network),
    title: network.manifest.title,
    summary: `Connecting and publishing ${codes(network.manifest.accountTypes)}.`,
  }))
