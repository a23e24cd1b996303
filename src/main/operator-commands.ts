import type { ConnectSandboxDeps } from '#operations'
import type { Operator } from '../app.ts'
import { alertCommands } from './alert-commands.ts'
import { clockCommands } from './clock-commands.ts'
import { type Command, type Given, UsageError } from './command.ts'
import { connectionCommands } from './connection-commands.ts'
import { deliveryCommands } from './delivery-commands.ts'
import { demoCommands } from './demo-commands.ts'
import { holdCommands } from './hold-commands.ts'
import { networkCommands } from './network-commands.ts'
import { fields, flag, list, operatorCommand, requireSandbox, rows, text } from './operator-command.ts'
import { resumeCommands } from './resume-command.ts'
import { userCommands } from './user-commands.ts'

const accountCommands = [
  operatorCommand(
    {
      name: 'accounts create',
      usage: '--name NAME [--plan PLAN] [--timezone ZONE] [--owner-email ADDRESS] [--sandbox]',
      summary: 'Creates an account with its owner and one social set; --sandbox connects it to the simulated networks.',
      options: { name: text, plan: text, timezone: text, 'owner-email': text, sandbox: flag },
    },
    async (operator, given) =>
      fields(
        await operator.operations.createAccount(await withSandbox(operator, given), {
          name: given.required('name'),
          plan: given.optional('plan') ?? 'SCALE',
          timezone: given.optional('timezone') ?? 'UTC',
          ownerEmail: given.optional('owner-email'),
          sandbox: given.flag('sandbox'),
        }),
      ),
  ),
  operatorCommand(
    {
      name: 'accounts list',
      usage: '',
      summary: 'Lists the accounts with their social sets: the ids that other commands take.',
    },
    async (operator) => {
      const accounts = await operator.operations.listAccountsForOperator(operator)
      const lines = accounts.flatMap(({ id, name, plan, socialSets }) => [
        { id, kind: 'ACCOUNT', name, about: plan },
        ...socialSets.map((set) => ({ id: set.id, kind: 'SOCIAL_SET', name: set.name, about: set.timezone })),
      ])
      return { data: accounts, text: rows(lines, ['id', 'kind', 'name', 'about']).text }
    },
  ),
  operatorCommand(
    {
      name: 'accounts plan',
      positionals: ['account', 'plan'],
      usage: 'ACCOUNT PLAN',
      summary: 'Moves an account to another plan.',
    },
    async (operator, given) =>
      fields(
        await operator.operations.setPlan(operator, {
          accountId: given.positional('account'),
          plan: given.positional('plan'),
        }),
      ),
  ),
  operatorCommand(
    {
      name: 'accounts usage',
      positionals: ['account'],
      usage: 'ACCOUNT',
      summary: 'Shows the plan of an account and its usage.',
    },
    async (operator, given) => {
      const { operations, db, config } = operator
      const usage = await operations.readUsage({ db, plans: config.plans }, given.positional('account'))
      const { accountId, plan, month, resetsAt, requestsPerSecond, features, ...used } = usage
      const amounts = Object.entries(used).map(([name, { used, limit }]) => [
        name,
        limit === null ? `${used}, no limit` : `${used} of ${limit}`,
      ])
      const rest = { requestsPerSecond, features: features.join(', ') }
      const reported = { accountId, plan, month, resetsAt, ...Object.fromEntries(amounts), ...rest }
      return { data: usage, text: fields(reported).text }
    },
  ),
  operatorCommand(
    {
      name: 'social-sets create',
      usage: '--account ID --name NAME --timezone ZONE [--sandbox]',
      summary: 'Creates a social set in an account.',
      options: { account: text, name: text, timezone: text, sandbox: flag },
    },
    async (operator, given) =>
      fields(
        await operator.operations.createSocialSet(await withSandbox(operator, given), {
          accountId: given.required('account'),
          name: given.required('name'),
          timezone: given.required('timezone'),
          sandbox: given.flag('sandbox'),
        }),
      ),
  ),
]

const keyCommands = [
  operatorCommand(
    {
      name: 'keys create',
      usage: '--account ID --name NAME (--scopes SCOPE,… | --agent CHOICE) [--social-sets ID,…] [--expires DATE]',
      summary:
        "Creates an API key and shows it once; with --scopes '' it can only read. With --agent it is for an agent that publishes, asks or drafts, has a daily budget and expires after 30 days. DATE is a date such as 2027-03-01.",
      options: { account: text, name: text, scopes: text, agent: text, 'social-sets': text, expires: text },
    },
    async (operator, given) => {
      const socialSets = given.optional('social-sets')
      const key = {
        accountId: given.required('account'),
        name: given.required('name'),
        socialSetIds: socialSets === null ? null : list(socialSets),
        expiresAt: given.optional('expires'),
      }
      const choice = given.optional('agent')
      if (choice === null) {
        const scopes = list(given.required('scopes'))
        return fields(await operator.operations.createKey(operator, { ...key, scopes }))
      }
      if (given.optional('scopes') !== null) throw new UsageError('--agent sets the scopes: leave out --scopes.')
      const deps = { db: operator.db, plans: operator.config.plans }
      return fields(await operator.operations.createAgentKey(deps, { ...key, choice }))
    },
  ),
  ...(['disable', 'enable', 'revoke'] as const).map((verb) =>
    operatorCommand(
      {
        name: `keys ${verb}`,
        positionals: ['key'],
        usage: 'KEY-ID',
        summary: {
          disable: 'Disables a key until it is enabled again.',
          enable: 'Enables a disabled key again.',
          revoke: 'Revokes a key permanently.',
        }[verb],
      },
      async (operator, given) => {
        const id = given.positional('key')
        const { disableKey, enableKey, revokeKey } = operator.operations
        await { disable: disableKey, enable: enableKey, revoke: revokeKey }[verb](operator, id)
        const status = { disable: 'DISABLED', enable: 'ACTIVE', revoke: 'REVOKED' }[verb]
        return { data: { id, status }, text: `The key is ${status.toLowerCase()}.` }
      },
    ),
  ),
]

const labelCommands = [
  operatorCommand(
    {
      name: 'labels create',
      usage: '--account ID --name NAME [--color #RRGGBB]',
      summary: 'Creates a label.',
      options: { account: text, name: text, color: text },
    },
    async (operator, given) =>
      fields(
        await operator.operations.createLabel(operator, {
          accountId: given.required('account'),
          name: given.required('name'),
          color: given.optional('color'),
        }),
      ),
  ),
  operatorCommand(
    {
      name: 'labels list',
      usage: '--account ID',
      summary: 'Lists the labels of an account.',
      options: { account: text },
    },
    async (operator, given) =>
      rows(await operator.operations.listLabels(operator, given.required('account')), ['id', 'name', 'color']),
  ),
]

const postSetCommands = [
  operatorCommand(
    {
      name: 'post-sets label',
      positionals: ['post set'],
      usage: 'POST-SET --label LABEL [--remove]',
      summary: 'Adds a label, given by id or name, to a post set; --remove removes it.',
      options: { label: text, remove: flag },
    },
    async (operator, given) => {
      const input = {
        postSetId: given.positional('post set'),
        label: given.required('label'),
        remove: given.flag('remove'),
      }
      await operator.operations.labelPostSet(operator, input, operator.actor)
      return { data: { id: input.postSetId }, text: 'Done.' }
    },
  ),
  ...(['lock', 'unlock'] as const).map((verb) =>
    operatorCommand(
      {
        name: `post-sets ${verb}`,
        positionals: ['post set'],
        usage: 'POST-SET',
        summary:
          verb === 'lock' ? 'Keeps programs from changing a post set.' : 'Lets programs change a post set again.',
      },
      async (operator, given) => {
        const id = given.positional('post set')
        const { lockPostSet, unlockPostSet } = operator.operations
        await (verb === 'lock' ? lockPostSet : unlockPostSet)(operator, id, operator.actor)
        return { data: { id, isLocked: verb === 'lock' }, text: 'Done.' }
      },
    ),
  ),
  operatorCommand(
    {
      name: 'post-sets approve',
      positionals: ['post set'],
      usage: 'POST-SET',
      summary: 'Approves a post set without changing its status.',
    },
    async (operator, given) => {
      const id = given.positional('post set')
      await operator.operations.approvePostSet(operator, id, operator.actor)
      return { data: { id, approval: 'APPROVED' }, text: 'Approved.' }
    },
  ),
  operatorCommand(
    {
      name: 'post-sets request-changes',
      positionals: ['post set'],
      usage: 'POST-SET [--message TEXT]',
      summary: 'Sends a post set back: it becomes a draft until it is scheduled again.',
      options: { message: text },
    },
    async (operator, given) => {
      const id = given.positional('post set')
      const message = given.optional('message')
      await operator.operations.requestChanges(operator, id, operator.actor, { message })
      return { data: { id, approval: 'DENIED', status: 'DRAFT' }, text: 'Sent back as a draft.' }
    },
  ),
  operatorCommand(
    {
      name: 'post-sets history',
      positionals: ['post set'],
      usage: 'POST-SET',
      summary: 'Lists what happened to a post set, even to a deleted one.',
    },
    async (operator, given) => {
      const history = await operator.operations.readHistory(operator, given.positional('post set'))
      const lines = history.map(({ at, actor, action, changes }) => ({
        at: at.toISOString(),
        who: `${actor.name} (${actor.type})`,
        action,
        changes: Object.keys(changes).length === 0 ? '' : JSON.stringify(changes),
      }))
      return { data: history, text: rows(lines, ['at', 'who', 'action', 'changes']).text }
    },
  ),
]

export const operatorCommands: readonly Command[] = [
  ...accountCommands,
  ...userCommands,
  ...keyCommands,
  ...connectionCommands,
  ...networkCommands,
  ...demoCommands,
  ...alertCommands,
  ...clockCommands,
  ...labelCommands,
  ...postSetCommands,
  ...holdCommands,
  ...resumeCommands,
  ...deliveryCommands,
]

/** What the command works with, the simulators included when it connects to them. */
async function withSandbox(operator: Operator, given: Given): Promise<Operator & ConnectSandboxDeps> {
  const unused = () => {
    throw new TypeError('The sandbox was not asked for.')
  }
  const none = { all: [], named: () => null, serving: () => null }
  if (!given.flag('sandbox')) return { ...operator, networks: none, sandboxIdentity: unused }
  requireSandbox(operator)
  return { ...operator, ...(await operator.openSandbox()) }
}
