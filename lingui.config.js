import { pathToFileURL } from 'node:url'
import extractor from '@lingui/cli/api/extractors/babel'
import { formatter } from '@lingui/format-po'
import { ERRORS, IMPORTED_CALENDAR_FAILURES, MEDIA_UPLOAD_ERRORS, POST_PROBLEMS } from './src/contract/errors.ts'
import { RIGHTS, ROLE_TITLES } from './src/contract/rights.ts'
import { WHY_WORDS } from './src/contract/why.ts'
import { MAIL_WORDS } from './src/news/words.ts'

const ids = (words, pick, id = (code) => code) =>
  Object.entries(words).map(([code, of]) => [id(code), pick(of)])

/** English words by the id that the catalogs have them under. Keyed by the file that they stand in. */
const SERVER_MESSAGES = {
  'src/contract/errors.ts': [
    ...ids(ERRORS, ({ title }) => title),
    ...ids(POST_PROBLEMS, (words) => words),
    ...ids(MEDIA_UPLOAD_ERRORS, (words) => words),
    ...ids(IMPORTED_CALENDAR_FAILURES, (words) => words),
  ],
  'src/contract/rights.ts': [
    ...ids(
      ROLE_TITLES,
      ({ title }) => title,
      (role) => `role:${role}`,
    ),
    ...ids(
      ROLE_TITLES,
      ({ description }) => description,
      (role) => `role:${role}:description`,
    ),
    ...ids(
      RIGHTS,
      ({ title }) => title,
      (right) => `right:${right}`,
    ),
  ],
  'src/contract/why.ts': ids(WHY_WORDS, (words) => words),
}

/** Words of mails: the server reads a catalog of their own. */
const MAIL_MESSAGES = { 'src/news/words.ts': ids(MAIL_WORDS, (words) => words) }
const MESSAGES = { ...SERVER_MESSAGES, ...MAIL_MESSAGES }

const fileOf = (path) => Object.keys(MESSAGES).find((file) => path.endsWith(file))

/** The server's words by code: the files that have them are extracted as they are. */
const serverWords = {
  match: (path) => fileOf(path) !== undefined,
  extract(path, _code, onMessageExtracted) {
    const file = fileOf(path)
    for (const [id, message] of MESSAGES[file]) {
      onMessageExtracted({ id, message, origin: [path, 1], comments: [], placeholders: {} })
    }
  },
}

const MANIFEST = /src\/networks\/[\w-]+\/manifest\.ts$/

/** What networks declare for people: apps, ways to sign in, publishing defaults with descriptions and names of their values. */
const networkWords = {
  match: (path) => MANIFEST.test(path),
  async extract(path, _code, onMessageExtracted) {
    const { manifest } = await import(pathToFileURL(path).href)
    const words = (accountType) => [...optionWords(manifest, accountType), ...signInWords(manifest, accountType)]
    for (const [id, message] of [...manifest.accountTypes.flatMap(words), ...appWords(manifest)]) {
      onMessageExtracted({ id, message, origin: [path, 1], comments: [], placeholders: {} })
    }
  },
}

function optionWords({ defaults }, accountType) {
  const own = defaults.filter(({ accountTypes }) => accountTypes?.includes(accountType) ?? true)
  return own.flatMap(({ name, title, description, titles = {} }) => {
    const id = `option:${accountType}:${name}`
    const values = Object.entries(titles).map(([value, words]) => [`${id}:${value}`, words])
    return [[id, title], [`${id}:description`, description], ...values]
  })
}

/** What ids and secrets of the operator's apps are, under the names of their settings. */
function appWords({ name: network, settings }) {
  const apps = Object.entries(settings).filter(([name]) => /(CLIENT|APP)_(ID|KEY|SECRET)$/.test(name))
  return apps.flatMap(([name, { description, app }]) => {
    const id = `setting:ALMANAC_${network.toUpperCase().replaceAll('-', '_')}_${name}`
    return [[id, description], ...(app ? [[`${id}:app`, app]] : [])]
  })
}

function signInWords({ signIns = [] }, accountType) {
  return signIns.flatMap(({ name, title, description }) => {
    const id = `sign-in:${accountType}:${name}`
    return [
      [id, title],
      [`${id}:description`, description],
    ]
  })
}

/** Where messages are found, and the catalogs they go to. */
export default {
  sourceLocale: 'en',
  locales: ['en', 'de', 'pseudo'],
  pseudoLocale: 'pseudo',
  catalogs: [
    {
      path: '<rootDir>/web/locales/{locale}',
      include: ['web/src', 'src/networks/*/manifest.ts', ...Object.keys(SERVER_MESSAGES)],
      exclude: ['**/*.test.*'],
    },
    { path: '<rootDir>/src/news/locales/{locale}', include: Object.keys(MAIL_MESSAGES) },
  ],
  extractors: [serverWords, networkWords, extractor],
  // Neither lines nor the time of day: a file changes when its words do.
  format: formatter({ lineNumbers: false, printPlaceholdersInComments: false }),
}
