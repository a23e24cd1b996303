import type { AccountType } from '#contract'
import type { DefaultsDeps } from '#operations'
import type { Operator } from '../app.ts'
import { type Given, type Outcome, UsageError } from './command.ts'
import { fields, flag, operatorCommand, requireSandbox, rows, text } from './operator-command.ts'
import { readPassword } from './read-password.ts'

/** The commands that connect accounts of networks. */
export const connectionCommands = [
  operatorCommand(
    {
      name: 'connections add',
      usage:
        '--account ID --social-set ID --network NAME [--account-type TYPE] [--sign-in WAY] [--sandbox] | … --identifier HANDLE [--service URL] < PASSWORD',
      summary:
        'Begins to connect an account: prints the address at which its owner signs in. --sign-in chooses the way, on networks that have several. With --identifier it connects with an app password (read from standard input).',
      options: {
        account: text,
        'social-set': text,
        network: text,
        identifier: text,
        service: text,
        'account-type': text,
        'sign-in': text,
        sandbox: flag,
      },
    },
    async (operator, given) => {
      const accountType = given.optional('account-type')
      const place = {
        accountId: given.required('account'),
        socialSetId: given.required('social-set'),
        network: given.required('network'),
        accountType: accountType === null ? null : await readAccountType(accountType),
      }
      const identifier = given.optional('identifier')
      return identifier === null
        ? signInThere(operator, given, place)
        : addWithPassword(operator, given, { ...place, identifier })
    },
  ),
  operatorCommand(
    {
      name: 'connections choose',
      positionals: ['sign-in or connection'],
      usage: 'SIGN-IN [--pick ID] | CONNECTION [--default NAME=VALUE]…',
      summary:
        'Lists and picks the account of a sign-in that gave several; or lists and sets the publishing defaults of a connection (an empty value removes one).',
      options: { pick: text, default: { type: 'string', multiple: true } },
    },
    async (operator, given) => {
      const id = given.positional('sign-in or connection')
      const { operations } = operator
      const outbound = await operator.openNetworks()
      const pick = given.optional('pick')
      if (pick !== null) {
        const deps = { ...operator, ...outbound }
        return fields(await operations.connectChosen(deps, { authorizationId: id, externalId: pick, seenBy: null }))
      }
      const deps = { ...operator, ...outbound, now: () => new Date() }
      const values = given.all('default')
      if (values.length > 0) {
        const chosen = await operations.chooseDefaults(deps, { connectionId: id, defaults: readValues(values) })
        return { data: chosen, text: fields({ ...chosen.defaults, missing: chosen.missingDefaults.join(', ') }).text }
      }
      if (await operations.isAuthorization(operator, id)) {
        return rows(await operations.readChoices(operator, id), ['externalId', 'name', 'username'])
      }
      return showDefaults(deps, operator, id)
    },
  ),
  operatorCommand(
    {
      name: 'connections list',
      usage: '--account ID [--social-set ID] [--closed]',
      summary: 'Lists the connections of an account; --closed includes closed ones.',
      options: { account: text, 'social-set': text, closed: flag },
    },
    async (operator, given) =>
      rows(
        await operator.operations.listConnections(operator, {
          accountId: given.required('account'),
          socialSetId: given.optional('social-set'),
          closed: given.flag('closed'),
        }),
        ['id', 'accountType', 'name', 'username', 'status', 'statusReason', 'signIn'],
      ),
  ),
  operatorCommand(
    {
      name: 'connections close',
      positionals: ['connection'],
      usage: 'CONNECTION',
      summary: 'Closes a connection: nothing is published through it any more.',
    },
    async (operator, given) => {
      const id = given.positional('connection')
      const { ended } = await operator.operations.closeConnection(operator, id)
      const what =
        ended && ` Publishing through it was stopped (${ended.reason}); an account connected there next is not.`
      return { data: { id, closed: true }, text: `Closed.${what ?? ''}` }
    },
  ),
]

interface Place {
  accountId: string
  socialSetId: string
  network: string
  accountType: AccountType | null
}

async function signInThere(operator: Operator, given: Given, place: Place): Promise<Outcome> {
  const sandbox = given.flag('sandbox')
  const signIn = given.optional('sign-in')
  if (sandbox) requireSandbox(operator)
  const outbound = await operator.openNetworks()
  if (sandbox && !outbound.networks.named(place.network)?.connect.oauth) {
    const deps = { ...operator, ...(await operator.openSandbox()) }
    return fields(await operator.operations.addSandboxConnection(deps, place))
  }
  const started = await operator.operations.startAuthorization(
    { ...operator, ...outbound },
    { ...place, sandbox, ...(signIn === null ? {} : { signIn }), startedBy: null },
  )
  const lines = [
    'Open this address and allow what it asks for, within ten minutes:',
    '',
    started.authorizeUrl,
    '',
    `Your app on the network must know the redirect address ${started.redirectUri}`,
    `If there are several accounts, then choose one: almanac connections choose ${started.authorizationId}`,
  ]
  return { data: started, text: lines.join('\n') }
}

async function addWithPassword(
  operator: Operator,
  given: Given,
  place: Place & { identifier: string },
): Promise<Outcome> {
  if (given.flag('sandbox')) throw new UsageError('--sandbox needs no password: leave out --identifier.')
  if (given.optional('sign-in') !== null) throw new UsageError('--sign-in needs no password: leave out --identifier.')
  const outbound = await operator.openNetworks()
  const password = await readPassword(`App password of ${place.identifier}: `)
  const input = { ...place, service: given.optional('service'), serviceMayBePrivate: true, seenBy: null, password }
  return fields(await operator.operations.addConnection({ ...operator, ...outbound }, input))
}

async function showDefaults(deps: DefaultsDeps, { operations }: Operator, id: string): Promise<Outcome> {
  const data = await operations.readDefaults(deps, id)
  const lines = data.map(({ name, title, value, required, options, schema }) => ({
    name,
    title,
    value: value ?? (required ? 'to be chosen' : '-'),
    values: options?.map((option) => `${option.value} (${option.title})`).join(', ') ?? valuesOf(schema),
  }))
  const { text: shown } = rows(lines, ['name', 'title', 'value', 'values'])
  return { data, text: data.length === 0 ? 'This network has no publishing defaults.' : shown }
}

function valuesOf(schema: object): string {
  const { enum: values, type } = schema as { enum?: readonly string[]; type?: string }
  return values?.join(', ') ?? (type === 'boolean' ? 'true, false' : '')
}

/** `privacy=SELF_ONLY`; an empty value takes a default away. */
function readValues(written: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(
    written.map((text) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
      if (name === undefined || value === undefined) throw new UsageError(`Write --default NAME=VALUE, not ${text}.`)
      return [name, value === '' ? null : value]
    }),
  )
}

async function readAccountType(name: string): Promise<AccountType> {
  const { accountTypes } = await import('#contract')
  const accountType = accountTypes.find((each) => each === name)
  if (!accountType) throw new UsageError(`There is no account type ${name}. Available: ${accountTypes.join(', ')}.`)
  return accountType
}
