import {
  Alert,
  accountTypeEntry,
  accountTypes,
  ERRORS,
  LIMITS,
  MEDIA_UPLOAD_ERRORS,
  NEWS_CAUSES,
  NEWS_DEFAULTS,
  NEWS_TITLES,
  type NewsChoice,
  PLAN_NAMES,
  type Plan,
  type PlanCatalog,
  PlanSchema,
  POST_PROBLEMS,
  POST_SET_WARNINGS,
  RIGHT_NAMES,
  RIGHTS,
  ROLE_TITLES,
  ROLES,
  type Role,
  SCOPES,
  type Scope,
} from '#contract'
import { FAULTS } from '#networks'
import { code, number, table } from './markdown.ts'
import { endpointTable, type OpenApiDocument } from './reference.ts'
import { meaningOf, type Schema, schemaTable, typeWords } from './schema-tables.ts'

const catalogue = (entries: Readonly<Record<string, string>>) =>
  table(
    ['Code', 'Meaning'],
    Object.entries(entries).map(([name, title]) => [code(name), `${title}.`]),
  )

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'notes:write': 'Creating, changing and deleting notes.',
  'post-sets:write': 'Creating, changing and deleting drafts. It can also park a scheduled post set as a draft.',
  'post-sets:publish':
    'Scheduling a post set, and changing or deleting one that is `SCHEDULED`. Also needs `post-sets:write`.',
  'media:write': 'Importing media.',
  'webhooks:write':
    'Creating, changing, reading and deleting webhooks. A key has it only if it was granted explicitly.',
}

function rightsTable(): string {
  return table(
    ['Right', ...ROLES.map((role) => ROLE_TITLES[role].title)],
    RIGHT_NAMES.map((name) => {
      const { title, roles }: { title: string; roles: readonly Role[] } = RIGHTS[name]
      return [title, ...ROLES.map((role) => (roles.includes(role) ? 'yes' : 'no'))]
    }),
  )
}

const CHOICE_WORDS: Readonly<Record<NewsChoice, string>> = {
  NONE: '–',
  BELL: 'bell',
  DAILY: 'bell and summary',
  MAIL: 'bell and mail',
}

function newsTable(): string {
  return table(
    ['What happens', 'About your own posts, or requested from you', ...ROLES.map((role) => ROLE_TITLES[role].title)],
    NEWS_CAUSES.map((cause) => {
      const { concerned, roles } = NEWS_DEFAULTS[cause]
      return [NEWS_TITLES[cause], CHOICE_WORDS[concerned], ...ROLES.map((role) => CHOICE_WORDS[roles[role]])]
    }),
  )
}

function errorTable(): string {
  const byStatus = Object.entries(ERRORS).toSorted(([, a], [, b]) => a.status - b.status)
  return table(
    ['Status', 'Code', 'Meaning'],
    byStatus.map(([name, { status, title }]) => [String(status), code(name), `${title}.`]),
  )
}

const between = ({ min, max }: { min: number; max: number }) => `${number(min)} to ${number(max)}`
const atMost = (value: number, what: string) => `at most ${number(value)} ${what}`

function limitTable(plans: PlanCatalog): string {
  const { page } = LIMITS
  return table(
    ['Limit', 'Value', 'Where'],
    [
      ['Posts in a post set', between(LIMITS.postsPerSet), '`posts`'],
      ['Occurrences of a series of post sets', between(LIMITS.postSetOccurrences), '`repeat.occurrences`'],
      ['Occurrences of a series of notes', between(LIMITS.noteOccurrences), '`repeat.occurrences`'],
      ['Text of a note', `${between(LIMITS.noteCodePoints)} characters`, '`content`'],
      ['Range of a list of notes', atMost(LIMITS.noteRangeDays, 'days'), '`GET /v1/notes`'],
      ['Text to search for', `at least ${LIMITS.searchCodePoints} characters`, '`filters[search]`'],
      ['Size of a page', `1 to ${page.maxSize}, default ${page.defaultSize}`, '`size`'],
      ['Reach of pages', `page × size ${atMost(page.maxReach, '')}`, '`page`, `size`'],
      ['Exact count of a list', `up to ${number(LIMITS.exactTotal)}`, '`pagination.total`'],
      ['Time of a post set or note', yearsOf(LIMITS.scheduledAt), '`scheduledAt`'],
      ['Pending uploads', `${LIMITS.pendingUploadsPerSocialSet} in a social set`, '`POST /v1/media-upload`'],
      [
        'Open uploads',
        `${LIMITS.openUploads.each} of one person or key in a social set; ${LIMITS.openUploads.eachOfFull} while ${LIMITS.openUploads.perSocialSet} are open in it`,
        'Files that a client sends',
      ],
      ['Size of a file', `1 GiB (${number(LIMITS.mediaBytes)} bytes)`, 'Every upload'],
      ['Webhooks', `${LIMITS.webhooks.perAccount} in an account, not counting closed ones`, '`POST /v1/webhooks`'],
      ['Active API keys', `${LIMITS.activeKeysPerAccount} in an account`, 'Managing keys'],
      ['Requests with a valid key', `${ratesOf(plans)} a second for the account`, 'All below `/v1/`'],
      [
        'Requests without a valid key',
        `${LIMITS.requestsPerSecondPerAddress} a second for the address`,
        'All below `/v1/`',
      ],
      [
        'Requests for pieces of uploads',
        `${LIMITS.piecesPerSecond} a second for the account`,
        '`HEAD` and `PATCH` of uploads, in addition to the rate',
      ],
      [
        'Requests for pages and the files that they load',
        `${LIMITS.pages.perSecond} and ${number(LIMITS.pages.filesPerSecond)} a second for the address, of each process`,
        'Dashboard, documentation, paths that do not exist',
      ],
      [
        'Requests for the description of the API',
        `${LIMITS.requestsPerSecondPerAddress} a second for the address, of each process`,
        '`/openapi.json`',
      ],
      ['Position of a media tag', '0 to 1', '`tags[].x`, `tags[].y`'],
      ['Caption', `${atMost(LIMITS.captionCodePoints, 'characters')}; networks accept less`, '`caption`'],
      ['Captions of a post set together', atMost(LIMITS.captionsOfSetCodePoints, 'characters'), '`posts`'],
      ['Media items of a post', `${atMost(LIMITS.mediaPerPost, 'items')}; networks accept less`, '`media`'],
      ['Tags on a media item', atMost(LIMITS.tagsPerMedia, 'tags'), '`tags`'],
      ['Texts for media', atMost(LIMITS.metadataCodePoints, 'characters'), '`altText`, `title`, `description`, `link`'],
      ['Name of media', `1 to ${LIMITS.nameCodePoints} characters on one line, without control characters`, '`name`'],
      ['Pixels of an imported picture', `${atMost(LIMITS.picturePixels / 1e6, 'million')}`, '`media-upload:too_large`'],
      [
        'Imported picture that is decoded as a whole',
        `${atMost(LIMITS.pictureDecodedBytes / 1e6, 'MB')} of memory`,
        '`media-upload:too_large`',
      ],
      ['Address to import from', atMost(LIMITS.urlCharacters, 'characters'), '`url`'],
      ['Segments of a rich caption', atMost(LIMITS.richCaptionSegments, 'segments'), '`richCaption`'],
      [
        'Collaborators of a post',
        `${atMost(LIMITS.collaborators, 'handles')}; networks accept less`,
        '`collaborators`',
      ],
      ['Key of a request', `${between(LIMITS.idempotencyKeyCharacters)} visible ASCII characters`, '`Idempotency-Key`'],
      [
        'Body of a request',
        `1 MiB (${number(LIMITS.bodyBytes)} bytes)`,
        'Every request with a body; for a form with a file, everything except the file',
      ],
      [
        'Keys and elements of a body in total',
        atMost(LIMITS.bodyElements, ''),
        'Objects and lists, however deep they are nested',
      ],
      ['Levels of a body', atMost(LIMITS.bodyDepth, ''), 'Objects and lists within each other'],
      ['Problems listed in an answer', `the first ${LIMITS.problems}`, '`errors`, `problems`, `warnings`'],
    ],
  )
}

function yearsOf({ from, before }: { from: string; before: string }): string {
  return `years ${from.slice(0, 4)} to ${Number(before.slice(0, 4)) - 1}`
}

function ratesOf(plans: PlanCatalog): string {
  const rates = new Set(PLAN_NAMES.map((name) => plans[name].requestsPerSecond))
  return rates.size === 1 ? String([...rates][0]) : 'by plan,'
}

function planTable(plans: PlanCatalog): string {
  const fields = Object.entries(PlanSchema.properties as Record<keyof Plan, Schema>)
  return table(
    ['What', ...PLAN_NAMES.map(code)],
    fields.map(([name, { description = '' }]) => [
      description.replace(/\.$/, ''),
      ...PLAN_NAMES.map((plan) => planWords(name, plans[plan][name as keyof Plan])),
    ]),
  )
}

function planWords(field: string, value: Plan[keyof Plan]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === null) return 'no limit'
  return field.endsWith('Bytes') ? `${value / 1_000_000_000} GB` : number(value)
}

function accountTypeTable(): string {
  return table(
    ['Account type', 'Filter', 'Fields besides the common ones'],
    accountTypes.map((accountType) => {
      const { filter, fields } = accountTypeEntry(accountType)
      const names = Object.entries(fields).map(
        ([name, { required }]) => `${code(name)}${required ? '' : ' (optional)'}`,
      )
      return [code(accountType), code(filter), names.join(', ') || 'none']
    }),
  )
}

function accountTypeFieldTable(): string {
  const rows = accountTypes.flatMap((accountType) =>
    Object.entries(accountTypeEntry(accountType).fields).map(([name, { required, schema }]) => [
      code(accountType),
      code(name),
      typeWords(schema as Schema),
      required ? 'yes' : 'no',
      meaningOf(schema as Schema),
    ]),
  )
  return table(['Account type', 'Field', 'Type', 'Required', 'Meaning'], rows)
}

function servedTable(): string {
  return table(
    ['Address', 'Content'],
    [
      ['[/docs/reference](/docs/reference.md)', 'Every operation with parameters, bodies and answers'],
      ['[/openapi.json](/openapi.json)', 'The same for programs: OpenAPI 3.1'],
      ['[/llms.txt](/llms.txt)', 'The list of all pages as markdown'],
    ],
  )
}

function faultTable(): string {
  return table(
    ['In a caption', 'What the simulator does', 'How often', 'Reason'],
    Object.entries(FAULTS).map(([name, { does, lasting }]) => [
      code(`[[fault:${name}]]`),
      does,
      lasting === null ? 'Once per post' : 'Every time',
      lasting === null ? '' : code(lasting),
    ]),
  )
}

/** The tables that pages leave to be filled in, by name, generated from the values that the service itself uses. */
export const TABLES: Readonly<Record<string, (openApi: OpenApiDocument, plans: PlanCatalog) => string>> = {
  errors: errorTable,
  'post-problems': () => catalogue(POST_PROBLEMS),
  'post-set-warnings': () => catalogue(POST_SET_WARNINGS),
  'upload-errors': () => catalogue(MEDIA_UPLOAD_ERRORS),
  limits: (_, plans) => limitTable(plans),
  plans: (_, plans) => planTable(plans),
  'account-types': accountTypeTable,
  'account-type-fields': accountTypeFieldTable,
  scopes: () =>
    table(
      ['Scope', 'Needed for'],
      SCOPES.map((scope) => [code(scope), SCOPE_WORDS[scope]]),
    ),
  rights: rightsTable,
  endpoints: endpointTable,
  faults: faultTable,
  served: servedTable,
  alert: () => schemaTable(Alert as Schema),
  news: newsTable,
}
